import type { Completes } from '../table.ts';
import { spellings, type CommandGrammar, type Grammar } from './grammar.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A word with what it does, as \`_describe\` takes it. */
function described(word: string, about: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${about}`);
}

function offer(completes: Completes): string {
  if (completes === 'folder') return '_files -/';
  if (completes === 'file') return '_files';
  if (completes === 'session') return 'compadd -- $(_larik_sessions)';
  return completes.length === 0 ? 'return 0' : `compadd -- ${completes.join(' ')}`;
}

function operands({ name, first, second }: CommandGrammar): string {
  if (name === '') return '';
  const later = second.map(({ word, completes }) => `    '${name} ${word}') ${offer(completes)} ;;\n`);
  return `    '${name} ') ${offer(first)} ;;\n${later.join('')}`;
}

/** Completion for zsh, with what each word does. */
export function zshCompletion({ commands, valued }: Grammar): string {
  const values = valued.map(
    (row) => `    ${spellings(row).join('|')}) ${offer(row.completes ?? [])}; return 0 ;;\n`,
  );
  const flags = commands.map((row) => {
    const all = row.options.flatMap((option) =>
      spellings(option).map((word) => described(word, option.about)),
    );
    return `      '${row.name}') offered=(${all.join(' ')}) ;;\n`;
  });
  const names = commands.filter(({ name }) => name !== '').map(({ name, about }) => described(name, about));
  return `#compdef larik
# Completion of larik for zsh. Put it into a file _larik in a folder of $fpath, or this line into ~/.zshrc
# behind compinit:
#   source <(larik completion zsh)
_larik_sessions() {
  larik sessions list 2>/dev/null </dev/null | sed -n 's/^\\([0-9a-z-]\\{1,\\}\\) .*/\\1/p'
}
_larik() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] cmd='' first='' word
  local -i count=0 at=2
  local -a offered
  if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; fi
  while (( at < CURRENT )); do
    word=$words[at]
    case $word in
      --) return 0 ;;
      -p|--print) count=3; cmd='' ;;
      ${valued.flatMap(spellings).join('|')}) (( at += 1 )) ;;
      -*) ;;
      *)
        if (( count == 0 )); then cmd=$word; elif (( count == 1 )); then first=$word; fi
        (( count += 1 )) ;;
    esac
    (( at += 1 ))
  done
  case $prev in
${values.join('')}  esac
  if [[ $cur == -* ]]; then
    case $cmd in
${flags.join('')}    esac
    _describe -o option offered
    return
  fi
  if (( count > 2 )); then return 0; fi
  case "$cmd $first" in
    ' ') offered=(${names.join(' ')}); _describe command offered ;;
${commands.map(operands).join('')}  esac
}
if [[ $funcstack[1] == _larik ]]; then _larik "$@"; else compdef _larik larik; fi
`;
}
