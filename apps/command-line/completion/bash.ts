import type { Completes } from '../table.ts';
import { spellings, type CommandGrammar, type Grammar } from './grammar.ts';

function offer(completes: Completes): string {
  if (completes === 'folder') return '_larik_files -d';
  if (completes === 'file') return '_larik_files -f';
  if (completes === 'session') return '_larik_words "$(_larik_sessions)"';
  return completes.length === 0 ? 'return 0' : `_larik_words '${completes.join(' ')}'`;
}

function operands({ name, first, second }: CommandGrammar): string {
  const later = second.map(({ word, completes }) => `    '${name} ${word}') ${offer(completes)} ;;\n`);
  return `    '${name} ') ${offer(first)} ;;\n${later.join('')}`;
}

/** Completion for bash 3.2 and later. Only names of sessions that look like ids reach \`compgen -W\`, which expands. */
export function bashCompletion({ commands, valued }: Grammar): string {
  const values = valued.map(
    (row) => `    ${spellings(row).join('|')}) ${offer(row.completes ?? [])}; return 0 ;;\n`,
  );
  const flags = commands.map(
    (row) => `      '${row.name}') _larik_words '${row.options.flatMap(spellings).join(' ')}' ;;\n`,
  );
  return `# Completion of larik for bash. To have it in every shell, put this line into ~/.bashrc:
#   source <(larik completion bash)
_larik_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}
_larik_files() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
}
_larik_sessions() {
  larik sessions list 2>/dev/null </dev/null | sed -n 's/^\\([0-9a-z-]\\{1,\\}\\) .*/\\1/p'
}
_larik() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' first='' count=0 at=1 word
  COMPREPLY=()
  if [ "$cur" = = ]; then cur=''; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  while [ $at -lt $COMP_CWORD ]; do
    word=\${COMP_WORDS[at]}
    case "$word" in
      --) return 0 ;;
      -p|--print) count=3; command='' ;;
      ${valued.flatMap(spellings).join('|')})
        at=$((at + 1))
        if [ "\${COMP_WORDS[at]}" = = ]; then at=$((at + 1)); fi ;;
      -*|=) ;;
      *)
        if [ $count = 0 ]; then command=$word; elif [ $count = 1 ]; then first=$word; fi
        count=$((count + 1)) ;;
    esac
    at=$((at + 1))
  done
  case "$prev" in
${values.join('')}  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${flags.join('')}    esac
    return 0
  fi
  if [ $count -gt 2 ]; then return 0; fi
  case "$command $first" in
${commands.map(operands).join('')}  esac
}
complete -F _larik larik
`;
}
