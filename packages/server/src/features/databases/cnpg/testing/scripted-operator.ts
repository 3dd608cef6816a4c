import pg from 'pg'

import { type BackupObject, backupsPath } from '../backup-objects.ts'
import { type ClusterObject, clusterPath, clustersPath } from '../cluster-object.ts'
import { cnpgKinds } from './kinds.ts'

type Call = (
  method: string,
  path: string,
  body?: unknown,
  mediaType?: string,
) => Promise<Record<string, unknown>>
type Status = NonNullable<ClusterObject['status']> & { done?: Record<string, string> }

type Recovery = {
  source?: string
  backup?: { name?: string }
  recoveryTarget?: { backupID?: string; targetTime?: string }
}

const merge = 'application/merge-patch+json'
const healthy = 'Cluster in healthy state'
const tickMs = 60

/**
 * Plays the operator of CloudNativePG in a sandbox: pods, secrets and statuses of Clusters as it makes them. The port 5432
 * of each pod leads to `port` of this machine, and that to the real PostgreSQL at `serverUrl`, whose superuser that names:
 * every Cluster has a database and an owner of its own there.
 */
export async function scriptedOperator(call: Call, serverUrl: string, port: number) {
  /** Each statement on a connection of its own, so that none is lost with another. */
  const admin = {
    async query<R extends object>(
      text: string,
      values: unknown[] = [],
      database?: string,
    ): Promise<{ rows: R[] }> {
      const url = new URL(serverUrl)
      if (database !== undefined) url.pathname = `/${database}`
      const client = new pg.Client({ connectionString: url.href })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return await client.query(text, values)
      } finally {
        await client.end()
      }
    },
  }
  const made = new Set<string>()
  const held = new Map<string, { phase: string; phaseReason?: string }>()
  const passwords = new Map<string, string>()
  /** Why backups of a Cluster fail. */
  const failures = new Map<string, string>()
  const control = { isAway: false, isStopped: false }
  for (const kind of cnpgKinds) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', kind)
  }

  const pods = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`
  const exists = (path: string) =>
    call('GET', path).then(
      () => true,
      () => false,
    )

  async function ensureOwner(object: ClusterObject, namespace: string, name: string): Promise<void> {
    const { initdb, recovery } = object.spec?.bootstrap ?? {}
    const { owner, database } = initdb ?? recovery ?? {}
    const username = owner ?? 'app'
    // All Clusters share one server, so that what one calls `app` is another one's too.
    const [role, databaseName] = [`${name}_${username}`.replaceAll('-', '_'), database ?? 'app']
    const real = `${name}_${databaseName}`.replaceAll('-', '_')
    const secret = `/api/v1/namespaces/${namespace}/secrets`
    if (await exists(`${secret}/${name}-app`)) return
    const password = passwords.get(name) ?? `of-${name}`
    if (!made.has(name)) {
      await admin.query(`create role ${role} login password '${password}'`)
      if (recovery === undefined) {
        await admin.query(`create database ${real} owner ${role}`)
        const { postInitApplicationSQL = [] } = (initdb ?? {}) as { postInitApplicationSQL?: string[] }
        for (const text of postInitApplicationSQL) {
          // oxlint-disable-next-line no-await-in-loop -- in their order
          await admin.query(text, [], real)
        }
      } else await recover(recovery as Recovery, role, real)
      await admin.query(`grant pg_monitor to ${role}`)
      made.add(name)
    }
    const stringData = { username: role, password, dbname: real, host: `${name}-rw`, port: '5432' }
    await call('POST', secret, {
      metadata: { name: `${name}-app`, ...owned(object) },
      type: 'kubernetes.io/basic-auth',
      stringData,
    })
  }

  /** Makes the database of a new Cluster of the copy that its recovery names; a moment is not looked at. */
  async function recover({ source, backup, recoveryTarget }: Recovery, role: string, real: string) {
    const named = backup?.name ?? recoveryTarget?.backupID ?? ''
    const { rows } = await admin.query<{ datname: string; owner: string }>(
      `select datname, pg_get_userbyid(datdba) as owner from pg_database
       where datname like $1 order by oid desc limit 1`,
      [`${(source ?? '%').replaceAll('-', '_')}_backup_%${named.replaceAll('-', '_')}`],
    )
    const [found] = rows
    if (found === undefined) throw new Error(`There is no copy for ${real}`)
    await copy(found.datname, real)
    await admin.query(`alter database ${real} owner to ${role}`)
    await admin.query(`grant ${found.owner} to ${role}`)
  }

  const owned = ({ metadata = {} }: ClusterObject) => ({
    ownerReferences: [
      {
        apiVersion: 'postgresql.cnpg.io/v1',
        kind: 'Cluster',
        name: metadata.name,
        uid: metadata.uid,
        controller: true,
      },
    ],
  })

  async function ensurePod(object: ClusterObject, namespace: string, pod: string): Promise<boolean> {
    const found = await call('GET', `${pods(namespace)}/${pod}`).catch(() => undefined)
    if (found !== undefined) {
      const { conditions = [] } = (found as { status?: { conditions?: { type: string; status: string }[] } })
        .status ?? { conditions: [] }
      return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
    }
    await call('POST', pods(namespace), {
      metadata: {
        name: pod,
        labels: { 'cnpg.io/cluster': object.metadata?.name, 'cnpg.io/podRole': 'instance' },
        annotations: { 'sandbox.bey/forward-5432': String(port) },
        ...owned(object),
      },
      spec: {
        containers: [
          {
            name: 'postgres',
            image: object.spec?.imageName ?? 'ghcr.io/cloudnative-pg/postgresql:18',
            ports: [{ containerPort: 5432 }],
          },
        ],
      },
    })
    return false
  }

  async function removePods(namespace: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await call('DELETE', `${pods(namespace)}/${name}?gracePeriodSeconds=0`).catch(() => undefined)
    }
  }

  async function say(object: ClusterObject, status: Status): Promise<void> {
    const { namespace = '', name = '' } = object.metadata ?? {}
    if (JSON.stringify({ ...object.status, ...status }) === JSON.stringify(object.status)) return
    await call('PATCH', `${clusterPath(namespace, name)}/status`, { status }, merge)
  }

  async function reconcile(object: ClusterObject): Promise<void> {
    const { namespace = '', name = '', annotations = {} } = object.metadata ?? {}
    const status: Status = object.status ?? {}
    const script = held.get(name)
    if (script !== undefined) return say(object, { instances: 0, ...script })
    const wanted = object.spec?.instances ?? 1
    const names = Array.from({ length: wanted }, (_, index) => `${name}-${index + 1}`)
    if (annotations['cnpg.io/hibernation'] === 'on') {
      await removePods(namespace, status.instanceNames ?? names)
      const conditions = [
        { type: 'cnpg.io/hibernation', status: 'True', message: 'Cluster has been hibernated' },
      ]
      return say(object, { phase: healthy, readyInstances: 0, conditions })
    }
    if (status.phase === undefined) return say(object, { phase: 'Setting up primary', instanceNames: names })
    await ensureOwner(object, namespace, name)
    const done = {
      restart: annotations['kubectl.kubernetes.io/restartedAt'] ?? '',
      settings: JSON.stringify([object.spec?.postgresql, object.spec?.storage]),
    }
    const before = status.done ?? done
    if (before.restart !== done.restart) {
      for (const each of names) {
        const metadata = { annotations: { 'kubectl.kubernetes.io/restartedAt': done.restart } }
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await call('PATCH', `${pods(namespace)}/${each}`, { metadata }, merge)
      }
      return say(object, { phase: 'Primary instance is being restarted in-place', done })
    }
    if (before.settings !== done.settings) return say(object, { phase: 'Applying configuration', done })
    if (status.targetPrimary && status.targetPrimary !== status.currentPrimary) {
      return say(object, { phase: 'Switchover in progress', currentPrimary: status.targetPrimary })
    }
    await removePods(
      namespace,
      (status.instanceNames ?? []).filter((each) => !names.includes(each)),
    )
    const ready = await Promise.all(names.map((each) => ensurePod(object, namespace, each)))
    const readyInstances = ready.filter(Boolean).length
    const isReady = readyInstances === wanted
    const primary =
      status.currentPrimary && names.includes(status.currentPrimary) ? status.currentPrimary : names[0]
    await say(object, {
      phase: isReady ? healthy : readyInstances === 0 ? 'Setting up primary' : 'Creating a new replica',
      instances: wanted,
      readyInstances,
      instanceNames: names,
      image: object.spec?.imageName ?? 'ghcr.io/cloudnative-pg/postgresql:18',
      conditions: [],
      done,
      ...(readyInstances > 0 && primary && { currentPrimary: primary, targetPrimary: primary }),
    })
  }

  /** Copies what a Cluster has now; Backups and new Clusters are made of copies. */
  async function copy(from: string, to: string): Promise<void> {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [from],
    )
    const { rows } = await admin.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [from],
    )
    await admin.query(`create database ${to} template ${from} owner ${rows[0]?.owner ?? 'postgres'}`)
  }

  const realName = (cluster: string, what: string) => `${cluster}_${what}`.replaceAll('-', '_')

  async function reconcileBackup({
    metadata = {},
    spec = {},
    status = {},
  }: BackupObject & { metadata?: { namespace?: string } }) {
    const { name = '', namespace = '' } = metadata
    const path = `${backupsPath(namespace, name)}/status`
    const write = (next: object) => call('PATCH', path, { status: next }, merge)
    const failure = failures.get(spec.cluster?.name ?? '')
    if (failure !== undefined && !status.phase) return write({ phase: 'failed', error: failure })
    if (!status.phase) {
      return write({ phase: 'running', method: spec.method, startedAt: new Date().toISOString() })
    }
    if (status.phase !== 'running') return
    const cluster = spec.cluster?.name ?? ''
    const object = (await call('GET', clusterPath(namespace, cluster))) as ClusterObject
    const database = object.spec?.bootstrap?.['initdb']?.database ?? 'app'
    await copy(realName(cluster, database), realName(cluster, `backup_${name}`))
    await write({ phase: 'completed', backupId: name, stoppedAt: new Date().toISOString() })
  }

  async function tick(): Promise<void> {
    if (control.isAway) return
    const backups = (await call('GET', `${clustersPath.replace('/clusters', '/backups')}`)) as {
      items?: BackupObject[]
    }
    for (const item of backups.items ?? []) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await reconcileBackup(item).catch(() => undefined)
    }
    const { items = [] } = (await call('GET', clustersPath)) as { items?: ClusterObject[] }
    for (const item of items) {
      // A Cluster that changed meanwhile is looked at again.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await reconcile(item).catch(() => undefined)
    }
  }

  const work = (async () => {
    while (!control.isStopped) {
      // oxlint-disable-next-line no-await-in-loop -- until it is stopped
      await tick().catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- until it is stopped
      await new Promise((resolve) => setTimeout(resolve, tickMs))
    }
  })()

  return {
    /** Makes a Cluster as somebody else would. */
    create: (namespace: string, name: string, spec: object = {}) =>
      call('POST', clusterPath(namespace, name).replace(/\/[^/]+$/, ''), {
        apiVersion: 'postgresql.cnpg.io/v1',
        kind: 'Cluster',
        metadata: { name },
        spec: { instances: 1, storage: { size: '1Gi' }, ...spec },
      }),
    read: async (namespace: string, name: string) =>
      (await call('GET', clusterPath(namespace, name))) as ClusterObject,
    change: (namespace: string, name: string, patch: object) =>
      call('PATCH', clusterPath(namespace, name), patch, merge),
    /** Asks for another primary, as the plug-in of kubectl does. */
    moveTo: (namespace: string, name: string, targetPrimary: string) =>
      call('PATCH', `${clusterPath(namespace, name)}/status`, { status: { targetPrimary } }, merge),
    /** Keeps a Cluster in a phase until it is let go. */
    hold: (name: string, phase: string, phaseReason?: string) =>
      void held.set(name, { phase, ...(phaseReason !== undefined && { phaseReason }) }),
    /** Lets the backups of a Cluster fail. */
    failBackups: (name: string, why: string) => void failures.set(name, why),
    letGo: (name: string) => void held.delete(name),
    /** It takes up nothing while it is away. */
    away: (isAway: boolean) => void (control.isAway = isAway),
    /** Gives the owner of a Cluster another password, in the server and in its secret. */
    async rotate(namespace: string, name: string, password: string) {
      const secret = `/api/v1/namespaces/${namespace}/secrets/${name}-app`
      const { data } = (await call('GET', secret)) as { data: Record<string, string> }
      const role = Buffer.from(data['username'] ?? '', 'base64').toString()
      await admin.query(`alter role ${role} password '${password}'`)
      await call('PATCH', secret, { stringData: { password } }, merge)
    },
    async stop() {
      control.isStopped = true
      await work
      for (const name of made) {
        const prefix = name.replaceAll('-', '_')
        const { rows } = await admin.query<{ datname: string }>(
          'select datname from pg_database where starts_with(datname, $1)',
          [`${prefix}_`],
        )
        for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
        const roles = await admin.query<{ rolname: string }>(
          'select rolname from pg_roles where starts_with(rolname, $1)',
          [`${prefix}_`],
        )
        for (const { rolname } of roles.rows) await admin.query(`drop role ${rolname}`)
      }
    },
  }
}
