import type { EndpointCommand } from './command.ts'

/** How a command is typed: `bey secrets get <id>`. */
export function usageOf({ words, params, flags, body }: EndpointCommand): string {
  const required = flags.filter(({ isRequired }) => isRequired)
  return [
    'bey',
    words,
    ...params.map((param) => `<${param === '*' ? 'path' : param}>`),
    ...required.map(({ name, kind }) => (kind === 'boolean' ? `--${name}` : `--${name} <${kind}>`)),
    ...(body === 'json' ? ['--input <file>'] : []),
    ...(flags.length > required.length ? ['[flags]'] : []),
  ].join(' ')
}
