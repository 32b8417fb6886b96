# Completions of hclexpr for bash.
_hclexpr() {
  local word=${COMP_WORDS[COMP_CWORD]} options=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W 'eval render fmt edit json decode refs check docs functions validate plan outputs graph test console schemas publish rollback fleet lsp help version' -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
    help) COMPREPLY=($(compgen -W 'eval render fmt edit json decode refs check docs functions validate plan outputs graph test console schemas publish rollback fleet lsp help version' -- "$word")); return ;;
    eval) options='--clock --env --explain --filesystem --functions -json -language --limit --plan-timestamp --random -raw --var --var-file --help' ;;
    render) options='--clock --env --filesystem --functions --limit --plan-timestamp --random --var --var-file --help' ;;
    fmt) options='-check -diff --limit -list -recursive -style -write --help' ;;
    edit) options='--get --limit --remove --rename --set --text -write --help' ;;
    json) options='--clock --compact --declarations --dialect --env --evaluate --filesystem --functions -language --limit --plan-timestamp --random --reverse --schema --var --var-file --help' ;;
    decode) options='-V --diags --keep-nulls --limit -o --out -s --spec --var-refs --vars --with-type --help' ;;
    refs) options='--limit --help' ;;
    check) options='--functions -json -language --limit -recursive --rules --schema --types --help' ;;
    docs) options='-language -schema -title --help' ;;
    functions) options='-json --help' ;;
    validate) options='-all -filesystem -json --limit -provider -schemas -source -state -strict -test-directory -var -var-file -workspace --help' ;;
    plan) options='-all -data -destroy -filesystem -json --limit -provider -refresh -refresh-only -replace -reveal -schemas -source -state -strict -target -var -var-file -workspace --help' ;;
    outputs) options='-all -filesystem -json --limit -name -provider -raw -reveal -schemas -source -state -strict -var -var-file -workspace --help' ;;
    graph) options='-all -filesystem -format -json -kinds --limit -provider -schemas -source -state -strict -var -var-file -workspace --help' ;;
    test) options='-all -coverage -filesystem -filter -json -junit-xml -lcov --limit -provider -schemas -source -state -strict -test-directory -var -var-file -verbose -workspace --help' ;;
    console) options='-all -filesystem --limit -module -provider -schemas -source -state -strict -var -var-file -workspace --help' ;;
    schemas) options='-all -filesystem -import -json --limit -list -provider -remove -schemas -source -state -strict -var -var-file -workspace --help' ;;
    publish) options='-language --note --rules --schema --timeout --types --wait --help' ;;
    rollback) options='--force --help' ;;
    fleet) options='-json --help' ;;
    lsp) options='-filesystem -functions -language -schemas -stdio -var-file --help' ;;
  esac
  case $word in -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;; esac
}
complete -o default -F _hclexpr hclexpr
