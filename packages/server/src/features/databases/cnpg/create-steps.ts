import { credentialName } from '@bey/contract'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { measureOnce } from '../measure.ts'
import { monitorName } from '../open-connection.ts'
import { updateDatabase } from '../store.ts'
import { clusterPath, clustersPath, messageOf } from './cluster-object.ts'
import { type ClusterStepParts, clusterSteps, keepObserved } from './cluster-steps.ts'
import { clusterManifest, isOfDatabase } from './manifest.ts'
import { openCnpg } from './open-cnpg.ts'
import { readOwner } from './owner-credential.ts'
import { readySteps } from './ready-steps.ts'
import { storeStep } from './store-step.ts'
import { namespaceTrouble, storageTrouble } from './pod-trouble.ts'
import { readCluster, waitForCluster } from './wait-for-cluster.ts'

/** The steps that make a database on a cluster: each looks at what is there before it acts. */
export function createSteps(parts: ClusterStepParts) {
  const { database, providers, credentials, clock } = parts
  const step = clusterSteps(parts)

  const check = step('check', 'Check the cluster', async (context, { row, namespace, name, call }) => {
    const kinds = await call('GET', `${clustersPath}?limit=1`)
    if (kinds.status === 404) {
      throw new StepFailure(
        'The cluster has no CloudNativePG: the kind Cluster of postgresql.cnpg.io/v1 is missing. Install the operator there first.',
      )
    }
    const trouble =
      (await namespaceTrouble(call, namespace)) ??
      (await storageTrouble(call, row.cnpg?.wanted?.storageClass ?? null))
    if (trouble !== undefined) throw new StepFailure(trouble)
    const found = await readCluster({ namespace, name, call })
    if (found !== undefined && !isOfDatabase(found, row.id)) {
      throw new StepFailure(
        `A Cluster "${name}" exists already in the namespace "${namespace}". Manage that one, or choose another name.`,
      )
    }
    context.log(`CloudNativePG is there, and the namespace "${namespace}".`)
    return undefined
  })

  const apply = step('apply', 'Apply the Cluster', async (context, { row, namespace, name, call }) => {
    const { id, databaseName, username, cnpg } = row
    if (cnpg?.wanted == null) throw new Error('Nothing is known of what was asked for')
    const body = clusterManifest({ id, name, namespace, databaseName, username, wanted: cnpg.wanted })
    const answer = await call('PATCH', `${clusterPath(namespace, name)}?fieldManager=bey`, {
      body,
      contentType: 'application/apply-patch+yaml',
    })
    if (answer.status === 403) {
      throw new StepFailure(
        `You may not make Clusters of CloudNativePG in the namespace "${namespace}": ${messageOf(answer)}.`,
      )
    }
    if (answer.status >= 300) throw new StepFailure(`The cluster refuses the Cluster: ${messageOf(answer)}.`)
    context.log(`The Cluster "${name}" is in the namespace "${namespace}".`)
    return undefined
  })

  const wait = step('wait', 'Wait for its instances', async (context, subject) => {
    const object = await waitForCluster(context, clock, {
      ...subject,
      isDone: (_object, { status }) => status === 'available',
    })
    await keepObserved(parts, subject.row, object)
    context.log(`The primary is ${object.status?.currentPrimary ?? 'not named'}.`)
    return undefined
  })

  const takeCredential = step('credential', 'Keep the password', async (context, subject) => {
    const { row, actor, call } = subject
    const object = await readCluster(subject)
    if (object === undefined) throw new StepFailure('Its Cluster is gone.')
    const owner = await readOwner((path) => call('GET', path), object)
    const { organizationId } = context.run
    const description = `Password of the database ${row.name}.`
    try {
      await database.withTenant(organizationId, async (db) => {
        const { username, databaseName, password } = owner
        const { credentialSecretId: known } = row
        if (known !== null)
          await credentials.replace(db, known, password, 'The database was created again', actor)
        const credentialSecretId =
          known ??
          (await credentials.create(db, { name: credentialName(row.name), description, password }, actor))
        await updateDatabase(db, organizationId, row.id, { username, databaseName, credentialSecretId })
      })
    } catch (error) {
      if (error instanceof AppError) throw new StepFailure(error.message, { cause: error })
      throw error
    }
    context.log(`The password of "${owner.username}" is the secret "${credentialName(row.name)}".`)
    return undefined
  })

  const verify = step('verify', 'Verify', async (context, { row }) => {
    const { organizationId } = context.run
    const secret = row.credentialSecretId
    const password = secret === null ? null : (await credentials.read(organizationId, secret)).password
    const connection = await openCnpg(providers, row, password, monitorName)
    const { version, figures, notes } = await measureOnce(connection, null, clock.now())
    await database.withTenant(organizationId, (db) =>
      updateDatabase(db, organizationId, row.id, { version, figures, notes }),
    )
    context.log(`PostgreSQL ${version} answers through the API of the cluster.`)
    return { version }
  })

  const create = [check, storeStep(parts), apply, wait, takeCredential, verify, ...readySteps(parts)]
  return { create, verify }
}
