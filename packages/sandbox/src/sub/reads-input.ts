/** Programs that read stdin whatever their operands are. */
const always = new Set(['dd', 'tee', 'tr', 'xargs'])
/** Programs that read stdin unless a file is named, after so many other operands. */
const unlessFile: Readonly<Record<string, number>> = {
  awk: 1,
  base64: 0,
  cat: 0,
  cut: 0,
  grep: 1,
  head: 0,
  md5sum: 0,
  sed: 1,
  sha256sum: 0,
  sort: 0,
  tail: 0,
  uniq: 0,
  wc: 0,
}
const shells = new Set(['ash', 'bash', 'sh'])
/** Options of those programs whose value is a word of its own. */
const withValue = /^-[cdfnk]$/

/**
 * Whether a command waits for the end of its stdin. Whoever does not read it must not be kept waiting: a client that
 * passes its own on (`kubectl exec -i`) may never close it.
 */
export function readsInput(words: readonly string[]): boolean {
  const [path = '', ...rest] = words
  const name = path.split('/').at(-1) ?? ''
  if (shells.has(name)) {
    const at = rest.findIndex((word) => /^-\w*c/.test(word))
    return at < 0 || scriptReads(rest[at + 1] ?? '')
  }
  if (always.has(name)) return true
  if (name === 'tar') return tarReads(rest)
  const others = Object.hasOwn(unlessFile, name) ? unlessFile[name] : undefined
  if (others === undefined) return false
  const operands = rest.filter((word, i) => !word.startsWith('-') && !withValue.test(rest[i - 1] ?? ''))
  return operands.length <= others
}

function tarReads([flags = '', file = '']: string[]): boolean {
  return /[xt]/.test(flags) && (!flags.includes('f') || file === '-')
}

/** Whether the first program of a pipeline somewhere in a script reads what the script is given. */
function scriptReads(script: string): boolean {
  const commands = script.split(/;|&&|\|\||\n|[(){}]|\b(?:do|then|else|if|while|until)\b/)
  return commands.some((command) => {
    const [first = ''] = command.split('|')
    return (
      !first.includes('<') &&
      readsInput(
        first
          .replaceAll(/\d?>>?\s*\S+/g, '')
          .trim()
          .split(/\s+/),
      )
    )
  })
}
