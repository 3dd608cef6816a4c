// A folder that is made anew. It is given by a person, and may be the wrong one.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Makes an empty folder. Throws where there is one with files that this command did not make: it has no `mark`. */
export function emptied(folder, mark) {
  const isOther = existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, mark))
  if (isOther) throw new Error(`${folder} has files that were not made by this command. Name another folder.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
