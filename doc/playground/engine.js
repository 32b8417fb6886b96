// engine.js: hclexpr in a worker. These functions refer to nothing outside them but each other: the page gives their text to the worker, so
// that it works from a folder of files, too, where a page may load no script into a worker.

// The functions that the C library asks of its host. There is a clock, and there are random bytes; all else isn't there.
function hclexprHost(memory) {
  const absent = 52 // WASI's number for a function that there isn't
  const bad = 8 // for a file that isn't open
  const host = {
    clock_time_get(clock, precision, at) {
      memory().setBigUint64(at, BigInt(Date.now()) * 1000000n, true)
      return 0
    },
    random_get(at, count) {
      for (let done = 0; done < count; done += 65536) {
        crypto.getRandomValues(new Uint8Array(memory().buffer, at + done, Math.min(65536, count - done)))
      }
      return 0
    },
    environ_sizes_get(count, size) {
      memory().setUint32(count, 0, true)
      memory().setUint32(size, 0, true)
      return 0
    },
    environ_get: () => 0,
    fd_prestat_get: () => bad,
    proc_exit(status) { throw new Error(`ended with ${status}`) },
  }
  return new Proxy(host, { get: (known, name) => known[name] ?? (() => absent) })
}

// What answers: each request is a kind ("expression", "template", "file"), two texts and what else is wanted ("explain" or ""). It throws
// where the program broke down; then it is of no more use.
function hclexprEngine(module) {
  let exports
  const memory = () => new DataView(exports.memory.buffer)
  exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: hclexprHost(memory) }).exports
  const text = at => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, exports.play_length()))
  exports._initialize()
  if (exports.play_start()) throw new Error(text(exports.play_why()))
  return (kind, source, variables, wanted) => {
    const request = new TextEncoder().encode([kind, source, variables, wanted].map(s => s.replaceAll("\0", "\ufffd")).join("\0"))
    const room = exports.play_room(request.length)
    if (!room) throw new Error("not enough memory")
    new Uint8Array(exports.memory.buffer, room, request.length).set(request)
    const answer = exports.play_answer(request.length)
    if (!answer) throw new Error(text(exports.play_why()))
    return JSON.parse(text(answer))
  }
}

// What runs in the worker. Its first message is the compiled module, each other one a request with an id, which the answer has, too.
function hclexprWorker() {
  let engine
  self.onmessage = ({ data }) => {
    if (data instanceof WebAssembly.Module) {
      engine = hclexprEngine(data)
      return
    }
    try {
      self.postMessage({ id: data.id, answer: engine(data.kind, data.source, data.variables, data.wanted) })
    } catch (error) {
      self.postMessage({ id: data.id, failed: String(error) })
    }
  }
}

// Starts such a worker.
function hclexprStart(module) {
  const source = `${hclexprHost}\n${hclexprEngine}\n(${hclexprWorker})()`
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  worker.postMessage(module)
  return worker
}
