import { serverItself } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { AppError } from '../../platform/errors.ts'
import type {
  Json,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../workflows/definition/definition.ts'
import { type BackupStep, finalBackupStep } from './backups/final-backup.ts'
import { configureServer } from './changes/configure-server.ts'
import type { ClusterStepParts } from './cnpg/cluster-steps.ts'
import { clusterWorkflows } from './cnpg/cluster-workflows.ts'
import { measureOnce } from './measure.ts'
import { openEmbedded } from './open-connection.ts'
import { placementOf, providerDatabase } from './parts.ts'
import type { DatabasePlacement, ProviderDatabase } from './provider.ts'
import { databaseIdOf, onDatabaseMove } from './run-moves.ts'
import { type DatabaseRow, findDatabase, isSecretOfOther, updateDatabase } from './store.ts'

type Options = ClusterStepParts & {
  finalBackup: BackupStep
  firstBackup: BackupStep
  /** Brings the WAL that waits on the machine to its store; answers why not. */
  shipWal(row: DatabaseRow): Promise<{ problem: string | null }>
}
type Subject = { row: DatabaseRow; server: ProviderDatabase; placement: DatabasePlacement | null }
type Work = (context: StepContext, subject: Subject) => Promise<Json | undefined>

/** The built-in workflows of databases: each step is one operation of the provider. */
export function databaseWorkflows(options: Options): WorkflowDefinition[] {
  const { database, providers, credentials, clock } = options
  const { embedded } = providers

  function step(key: string, name: string, work: Work): StepDefinition {
    return {
      key,
      name,
      type: 'database',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const row = await rowOf(database, context)
        return work(context, { row, server: providerDatabase(row), placement: placementOf(row) })
      },
    }
  }

  const reserve = step('reserve', 'Reserve memory', async (context, { row, server, placement: before }) => {
    const placement = await embedded.choosePlacement(row.id, before)
    const { organizationId } = context.run
    // Before anything is made there: whatever interrupts this step, a deletion finds what it left.
    await database.withTenant(organizationId, (db) =>
      updateDatabase(db, organizationId, row.id, { ...placement, host: '127.0.0.1' }),
    )
    await embedded.reserve(server, placement, context)
    return { port: placement.port }
  })

  const start = step('start', 'Start the server', async (context, { row, server, placement: before }) => {
    const { organizationId } = context.run
    // While its files were made, another process may have taken its port.
    const placement = await embedded.choosePlacement(row.id, required(before))
    if (placement.port !== before?.port) {
      await database.withTenant(organizationId, (db) =>
        updateDatabase(db, organizationId, row.id, { port: placement.port }),
      )
      context.log(`Another process took the port ${before?.port}: it gets ${placement.port}.`)
    }
    const { pid } = await embedded.start(server, placement)
    context.log(`The server listens on 127.0.0.1:${placement.port} (process ${pid}).`)
    return { pid }
  })

  const startAgain = step('start', 'Start the server', async (context, { server, placement }) => {
    try {
      const { pid } = await embedded.start(server, required(placement))
      context.log(`The server listens on 127.0.0.1:${required(placement).port} (process ${pid}).`)
      return { pid }
    } catch (error) {
      // It stays hibernated, and a hibernated database takes no memory.
      await embedded.release(required(placement))
      throw error
    }
  })

  const stop = step('stop', 'Stop the server', async (context, { row, placement }) => {
    context.log(placement === null ? 'There is no server.' : await embedded.stop(row.id, placement))
    return undefined
  })

  const verify = step('verify', 'Verify', async (context, { row, placement }) => {
    const connection = await openEmbedded(embedded, required(placement), row.databaseName)
    const { version, figures } = await measureOnce(connection, null, clock.now())
    const { organizationId } = context.run
    await database.withTenant(organizationId, (db) =>
      updateDatabase(db, organizationId, row.id, { version, figures }),
    )
    context.log(`PostgreSQL ${version} answers; it takes ${figures.maxConnections} connections.`)
    return { version }
  })

  const setUp = step('set_up', 'Make owner and database', async (context, { row, server, placement }) => {
    const { organizationId } = context.run
    const secretId = row.credentialSecretId
    if (secretId === null) throw new StepFailure('The secret with its password is gone. Delete the database.')
    const { password, version } = await credentials.read(organizationId, secretId).catch(explain)
    await embedded.setUp(server, required(placement), password)
    await database.withTenant(organizationId, async (db) => {
      await updateDatabase(db, organizationId, row.id, { credentialVersion: version })
      await credentials.recordUse(db, organizationId, secretId, version, row)
    })
    context.log(`The user "${row.username}" owns the database "${row.databaseName}".`)
    return undefined
  })

  const configure = step(
    'configure',
    'Set parameters and extensions',
    async (context, { row, server, placement }) => {
      await configureServer({ embedded }, context, { row, server, placement: required(placement) }).catch(
        explain,
      )
      return undefined
    },
  )

  const initialize = step('initialize', 'Make the files of the server', async (context, { placement }) => {
    await embedded.initialize(required(placement), context)
    return undefined
  })

  const ship = step('ship_wal', 'Store its last WAL', async (context, { row }) => {
    const { problem } = await options.shipWal(row)
    // It stops nevertheless: the WAL waits on the machine until the server is resumed.
    if (problem !== null)
      context.log(`The WAL stays on the machine until it is resumed: ${problem}`, 'warning')
    return undefined
  })

  const giveBack = step('give_back', 'Give the memory back', async (context, { server, placement }) => {
    if (placement !== null) await embedded.release(placement)
    context.log(`${Math.round(server.plan.memoryBytes / 1024 ** 2)} MiB of memory are free again.`)
    return undefined
  })

  const takeBack = step('reserve', 'Reserve memory', async (context, { server, placement }) => {
    await embedded.reserve(server, required(placement), context)
    return undefined
  })

  const removeData = step('delete_data', 'Remove the data', async (context, { placement }) => {
    context.log(placement === null ? 'Nothing was kept.' : await embedded.remove(placement))
    return undefined
  })

  const retireSecret = step('delete_credential', 'Delete the password', async (context, { row }) => {
    const { organizationId } = context.run
    const secretId = row.credentialSecretId
    if (secretId === null) {
      context.log('It had no password.')
      return undefined
    }
    const isShared = await database.readTenant(organizationId, (db) =>
      isSecretOfOther(db, organizationId, secretId, row.id),
    )
    if (isShared) {
      context.log('Another database has the same password, so the secret stays.')
      return undefined
    }
    await database.withTenant(organizationId, (db) =>
      credentials.retire(db, secretId, { ...serverItself(organizationId), via: 'workflow' }),
    )
    context.log('The secret with its password can be restored for 7 days.')
    return undefined
  })

  const deleted = (now: Date) => ({ status: 'deleted', values: { deletedAt: now, figures: null } }) as const
  const available = () => ({ status: 'available' }) as const

  const onCreation = onDatabaseMove(clock, {
    what: 'Creation',
    while: ['pending', 'provisioning'],
    begun: 'provisioning',
    completed: available,
    failed: 'error',
  })

  const onDeletion = onDatabaseMove(clock, {
    what: 'The deletion',
    while: ['deleting'],
    completed: deleted,
    // Without its backup nothing was taken away yet, and the server goes on.
    failed: ({ stepKey }) => (stepKey === finalBackupStep ? 'degraded' : 'error'),
  })

  return [
    {
      key: 'database.create',
      name: 'Create database',
      description:
        'Reserves memory, starts a PostgreSQL server, makes its owner and the database, sets what was asked for, and backs it up for the first time where it has a schedule.',
      type: 'provisioning',
      cancelPermission: 'databases.create',
      steps: [reserve, initialize, start, setUp, configure, verify, options.firstBackup.step],
      async onMove(db, move) {
        await options.firstBackup.onMove(db, move)
        await onCreation(db, move)
      },
    },
    {
      key: 'database.restart',
      name: 'Restart database',
      description: 'Stops the server of a database and starts it again; open connections end.',
      type: 'maintenance',
      cancelPermission: 'databases.operate',
      steps: [stop, start, verify],
      onMove: onDatabaseMove(clock, {
        what: 'The restart',
        while: ['restarting'],
        completed: available,
        failed: 'degraded',
      }),
    },
    {
      key: 'database.hibernate',
      name: 'Hibernate database',
      description: 'Stops the server of a database, keeps its data and gives its memory back.',
      type: 'maintenance',
      cancelPermission: 'databases.operate',
      steps: [stop, ship, giveBack],
      onMove: onDatabaseMove(clock, {
        what: 'Hibernation',
        while: ['hibernating'],
        completed: () => ({ status: 'hibernated' }),
        failed: 'degraded',
      }),
    },
    {
      key: 'database.resume',
      name: 'Resume database',
      description: 'Reserves memory and starts the server of a hibernated database.',
      type: 'maintenance',
      cancelPermission: 'databases.operate',
      steps: [takeBack, startAgain, verify],
      onMove: onDatabaseMove(clock, {
        what: 'Resuming',
        while: ['resuming'],
        completed: available,
        failed: 'hibernated',
      }),
    },
    {
      key: 'database.delete',
      name: 'Delete database',
      description:
        'Backs a database up where that is asked for, stops its server, and removes its data and its password.',
      type: 'maintenance',
      cancelPermission: 'databases.delete',
      steps: [options.finalBackup.step, { ...stop, key: 'delete_server' }, removeData, retireSecret],
      async onMove(db, move) {
        await options.finalBackup.onMove(db, move)
        await onDeletion(db, move)
      },
    },
    {
      key: 'database.disconnect',
      name: 'Disconnect database',
      description: 'Lets go of a database that somebody else runs; its server and data stay as they are.',
      type: 'maintenance',
      cancelPermission: 'databases.delete',
      steps: [retireSecret],
      onMove: onDatabaseMove(clock, {
        what: 'Disconnecting',
        while: ['deleting'],
        completed: deleted,
        failed: 'error',
      }),
    },
    ...clusterWorkflows(options, retireSecret),
  ]
}

async function rowOf(database: Pick<Database, 'readTenant'>, { run }: StepContext): Promise<DatabaseRow> {
  const { organizationId } = run
  const row = await database.readTenant(organizationId, (db) =>
    findDatabase(db, organizationId, databaseIdOf(run)),
  )
  if (row === undefined) throw new Error('The database of this run is gone')
  return row
}

function required(placement: DatabasePlacement | null): DatabasePlacement {
  if (placement === null) throw new Error('No place was chosen for the server')
  return placement
}

/** What people can mend, such as a disabled secret, fails the step with its sentence. */
function explain(error: unknown): never {
  if (error instanceof AppError) throw new StepFailure(error.message, { cause: error })
  throw error
}
