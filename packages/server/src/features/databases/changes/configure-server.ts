import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Json, StepContext } from '../../workflows/definition/definition.ts'
import { installExtension } from '../manage/extensions.ts'
import { openEmbedded } from '../open-connection.ts'
import type { DatabasePlacement, DatabaseProviders, ProviderDatabase } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import { readWaiting, setParameters } from './set-parameters.ts'

/** What a new database is set up with beside what its row says: given to the run that creates it. */
export type NewSettings = { parameters: Record<string, string>; extensions: string[] }

/** What the run of a creation was asked to set: written by the endpoint that started it. */
function newSettingsOf(input: Json): NewSettings {
  const settings: Partial<NewSettings> = input['settings'] ?? {}
  return { parameters: settings.parameters ?? {}, extensions: settings.extensions ?? [] }
}

type Subject = { row: DatabaseRow; server: ProviderDatabase; placement: DatabasePlacement }

/**
 * Sets parameters and installs extensions of a new database, and restarts its server where that is needed. Looks at what is
 * there first. Throws StepFailure where the server does not start with them, AppError for an extension that it refuses, and what
 * the server says where it does not start without them either.
 */
export async function configureServer(
  { embedded }: Pick<DatabaseProviders, 'embedded'>,
  context: StepContext,
  { row, server, placement }: Subject,
): Promise<void> {
  const { parameters, extensions } = newSettingsOf(context.run.input)
  const names = Object.keys(parameters)
  if (names.length === 0 && extensions.length === 0) {
    context.log('Nothing was asked for beside its size.')
    return
  }
  await embedded.parameters.keep(placement, context.run.id)
  // After a crash amid the restart it does not run.
  await startOrPutBack()
  const admin = await openEmbedded(embedded, placement, row.databaseName)
  let needsRestart: boolean
  try {
    if (names.length > 0) await setParameters(admin, parameters, context.log)
    for (const name of extensions) context.log(await installExtension(admin, row, name))
    needsRestart = (await readWaiting(admin, names)).differs
  } finally {
    await admin.end()
  }
  if (needsRestart) {
    context.log(await embedded.stop(row.id, placement))
    await startOrPutBack()
  }
  await embedded.parameters.forget(placement, context.run.id)

  async function startOrPutBack(): Promise<void> {
    try {
      await embedded.start(server, placement)
    } catch (error) {
      await embedded.parameters.putBack(placement, context.run.id)
      // Where it does not start without them either, they are not what keeps it from that.
      await embedded.start(server, placement)
      const words = error instanceof Error ? error.message : String(error)
      throw new StepFailure(
        `${words} Its parameters keep it from that: delete it, and create it with others.`,
        { cause: error },
      )
    }
  }
}
