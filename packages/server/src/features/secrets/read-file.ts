import { secretLimits, type SecretTransferFormat, type SecretType } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import { readEnv } from './read-env.ts'
import { readKubernetes, readYaml } from './read-yaml.ts'
import type { Encoding, GivenValue } from './value.ts'

/** One secret that a file holds, and the line where it stands. */
export type FileEntry = {
  line: number
  name: string
  value: GivenValue
  type?: SecretType
  encoding?: Encoding
  description?: string
}
/** What cannot be read, in a sentence that repeats nothing of a value. */
export type FileProblem = { line: number; message: string }
export type ReadFile = { entries: FileEntry[]; problems: FileProblem[] }

/** A file has no more lines that anybody mends by hand. */
const maxProblems = 1_000

/** Reads the secrets that a file holds. Throws AppError `invalid_request` naming the lines that cannot be read. */
export function readFile(format: SecretTransferFormat, text: string): FileEntry[] {
  if (Buffer.byteLength(text) > secretLimits.importBytes) {
    throw refused([`The file is larger than ${secretLimits.importBytes / 1_000_000} MB. Import it in parts.`])
  }
  const { entries, problems } = readers[format](text)
  const twice = duplicatesOf(entries)
  const found = [...problems, ...twice].toSorted((a, b) => a.line - b.line)
  if (found.length > 0) throw refused(found.map(({ line, message }) => `Line ${line}: ${message}`))
  if (entries.length === 0) throw refused(['The file holds no secrets.'])
  if (entries.length > secretLimits.importEntries) {
    throw refused([
      `The file holds ${entries.length} entries; at most ${secretLimits.importEntries} are imported at once.`,
    ])
  }
  return entries
}

const readers: Record<SecretTransferFormat, (text: string) => ReadFile> = {
  env: readEnv,
  yaml: readYaml,
  kubernetes: readKubernetes,
}

function duplicatesOf(entries: readonly FileEntry[]): FileProblem[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ name, line }) => {
    const before = first.get(name)
    if (before === undefined) first.set(name, line)
    return before === undefined ? [] : [{ line, message: `${name} is there twice, first in line ${before}.` }]
  })
}

function refused(messages: readonly string[]): AppError {
  const shown = messages.slice(0, maxProblems)
  const more = messages.length > 1 ? ` And ${messages.length - 1} more.` : ''
  return new AppError('invalid_request', `text: ${shown[0] ?? ''}${more}`, {
    errors: shown.map((message) => ({ path: 'text', message })),
  })
}
