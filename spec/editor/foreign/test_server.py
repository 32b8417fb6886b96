"""Another project's client, pytest-lsp, drives `hclexpr lsp` with the capabilities of known editors, and checks each answer against the
protocol; foreign_spec.lua starts it. SERVER holds the server's command, one word a line; FOLDER has the files of `files` below."""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(os.environ["FOLDER"])
MAIN = (FOLDER / "main.tf").as_uri()


@pytest_lsp.fixture(
    params=["neovim", "visual_studio_code", "emacs"],
    config=ClientServerConfig(server_command=os.environ["SERVER"].split("\n")),
)
async def client(request, lsp_client: LanguageClient):
    # Things that these editors answer, and this client leaves to its user.
    for method in (
        lsp.CLIENT_REGISTER_CAPABILITY,
        lsp.WORKSPACE_INLAY_HINT_REFRESH,
        lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    ):
        lsp_client.feature(method)(lambda params: None)
    answer = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[lsp.WorkspaceFolder(uri=FOLDER.as_uri(), name="folder")],
        )
    )
    assert answer.server_info.name == "hclexpr"
    text = (FOLDER / "main.tf").read_text(encoding="utf-8")
    lsp_client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=MAIN, language_id="terraform", version=1, text=text))
    )
    yield
    await lsp_client.shutdown_session()


def document():
    return lsp.TextDocumentIdentifier(uri=MAIN)


def place(line, character):
    return {"text_document": document(), "position": lsp.Position(line, character)}


def change(client, version, text):
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=MAIN, version=version),
            content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=text)],
        )
    )


@pytest.mark.asyncio
async def test_hover_shows_the_value(client: LanguageClient):
    hover = await client.text_document_hover_async(lsp.HoverParams(**place(5, 10)))
    assert "shop-7" in hover.contents.value


@pytest.mark.asyncio
async def test_definition_and_references(client: LanguageClient):
    found = await client.text_document_definition_async(lsp.DefinitionParams(**place(5, 10)))
    first = found[0] if isinstance(found, list) else found
    where = getattr(first, "range", None) or first.target_range
    assert where.start.line == 2
    uses = await client.text_document_references_async(
        lsp.ReferenceParams(**place(2, 3), context=lsp.ReferenceContext(include_declaration=False))
    )
    assert [use.range.start.line for use in uses] == [5]


@pytest.mark.asyncio
async def test_completion_offers_names(client: LanguageClient):
    change(client, 2, 'variable "n" {\n  default = 7\n}\nlocals {\n  x = var.\n}\n')
    answer = await client.text_document_completion_async(lsp.CompletionParams(**place(4, 10)))
    items = answer.items if isinstance(answer, lsp.CompletionList) else answer
    assert any(item.label.split(".")[-1] == "n" for item in items)


@pytest.mark.asyncio
async def test_rename_touches_each_use(client: LanguageClient):
    edit = await client.text_document_rename_async(lsp.RenameParams(**place(2, 3), new_name="label"))
    edits = [e for change in edit.document_changes or [] for e in change.edits] or edit.changes[MAIN]
    assert sorted(e.range.start.line for e in edits) == [2, 5]


@pytest.mark.asyncio
async def test_whole_documents(client: LanguageClient):
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document()))
    assert symbols
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document()))
    assert folds[0].start_line == 0
    change(client, 2, "a=1\n")
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document(), options))
    assert edits
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document()))
    assert len(tokens.data) % 5 == 0 and tokens.data


@pytest.mark.asyncio
async def test_mistakes_are_told(client: LanguageClient):
    change(client, 2, 'output "o" {\n  value = var.nothing\n}\n')
    for _ in range(20):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        if any("nothing" in d.message for d in client.diagnostics.get(MAIN, [])):
            return
    raise AssertionError(client.diagnostics)
