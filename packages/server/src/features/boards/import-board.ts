import type { ParsedInput } from '@bey/contract'
import { boardDefinition } from '@bey/contract/boards/endpoints'
import { AppError } from '../../platform/errors.ts'
import { isRecord, readGrafana } from './grafana.ts'

type Draft = Pick<ParsedInput<'boards.create'>['body'], 'name' | 'description' | 'definition'>

/** Marks a file as a board of Bey. */
export const boardFileKind = 'bey-board'

/** Reads an exported board. Throws AppError `invalid_request` with a sentence where it cannot. */
export function importedBoard(source: string): Draft & { notes: string[] } {
  const file = parsed(source)
  if (!isRecord(file)) throw refused('The file is not a board: it holds no JSON object.')
  if (file['kind'] !== boardFileKind) {
    // Grafana's sharing dialog wraps the dashboard, as its HTTP API does.
    const dashboard = isRecord(file['dashboard']) ? file['dashboard'] : file
    if (!Array.isArray(dashboard['panels'])) {
      throw refused('The file is no board of Bey and no dashboard of Grafana: it has no list of panels.')
    }
    const { notes, ...draft } = readGrafana(dashboard)
    return { ...draft, definition: checked(draft.definition), notes: notes.slice(0, 300) }
  }
  const { name, description } = file
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 63) : 'Imported board',
    description: typeof description === 'string' ? description.slice(0, 2_000) : '',
    definition: checked(file['definition']),
    notes: [],
  }
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (cause) {
    throw new AppError('invalid_request', 'The file is not JSON. Export the board again.', { cause })
  }
}

function checked(definition: unknown): Draft['definition'] {
  const { data, error } = boardDefinition.safeParse(definition)
  if (data) return data
  const [issue] = error.issues
  throw refused(`The board cannot be imported: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

const refused = (message: string) => new AppError('invalid_request', message)
