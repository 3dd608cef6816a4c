import { allPermissions } from '@bey/contract/api-keys/rules'
import { type Role, roleHas } from '@bey/contract/base/permissions'

import { eq } from 'drizzle-orm'

import { hashToken, newToken } from '../platform/crypto/token.ts'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import { createPasswords } from '../platform/crypto/password.ts'
import type { Database } from '../platform/db/database.ts'
import { newKeyToken, startOf } from '../platform/keys/key-token.ts'
import { annotations } from '../tables/annotations.ts'
import { apiKeys, apiKeySecrets } from '../tables/api-keys.ts'
import { clusters } from '../tables/clusters.ts'
import { databases } from '../tables/databases.ts'
import { memberships } from '../tables/memberships.ts'
import { organizations } from '../tables/organizations.ts'
import { runApprovals } from '../tables/run-approvals.ts'
import { sessions } from '../tables/sessions.ts'
import { stepLogs } from '../tables/step-logs.ts'
import { stepRuns } from '../tables/step-runs.ts'
import { users } from '../tables/users.ts'
import { workflowRuns } from '../tables/workflow-runs.ts'
import { workflows } from '../tables/workflows.ts'

export type GivenUser = {
  id: number
  email: string
  name: string
  organizationId: number
  role: Role
  /** Session token, good for 30 days. */
  token: string
  sessionId: string
}

type Insert<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>

/** argon2id parameters of tests. */
export const testArgon2 = { memoryKib: 19_456, passes: 2 }

const passwords = createPasswords(testArgon2)
let counter = 0

/** Factories that build their own parents: `const given = createGiven(database)`. */
export function createGiven(database: Database) {
  const next = () => `${(counter += 1)}-${Math.random().toString(36).slice(2, 8)}`

  async function organization(values: { name?: string } = {}) {
    return database.asSystem('test', async (db) => {
      const name = values.name ?? `Organization ${next()}`
      const rows = await db.insert(organizations).values({ name }).returning()
      return only(rows)
    })
  }

  async function user(
    values: { role?: Role; organizationId?: number; email?: string; name?: string; password?: string } = {},
  ): Promise<GivenUser> {
    const organizationId = values.organizationId ?? (await organization()).id
    const role = values.role ?? 'OWNER'
    const token = newToken('bey_session')
    const sessionId = uuidv7()
    const passwordHash = values.password === undefined ? null : await passwords.hash(values.password)
    const made = await database.asSystem('test', async (db) => {
      const email = values.email ?? `user-${next()}@example.com`
      const rows = await db
        .insert(users)
        .values({ email, name: values.name ?? 'Ada', passwordHash, activeOrganizationId: organizationId })
        .returning({ id: users.id, email: users.email, name: users.name })
      const person = only(rows)
      await db.insert(memberships).values({ organizationId, userId: person.id, role })
      const expiresAt = new Date(Date.now() + 30 * 86_400_000)
      await db
        .insert(sessions)
        .values({ id: sessionId, userId: person.id, tokenHash: hashToken(token), expiresAt, ip: '127.0.0.1' })
      return person
    })
    return { ...made, organizationId, role, token, sessionId }
  }

  /** Gives a user a password after the fact. */
  async function password(of: { id: number }, text: string) {
    const passwordHash = await passwords.hash(text)
    await database.asSystem('test', (db) => db.update(users).set({ passwordHash }).where(eq(users.id, of.id)))
  }

  async function cluster(values: Insert<typeof clusters> = {}) {
    const organizationId = values.organizationId ?? (await organization()).id
    return database.withTenant(organizationId, async (db) => {
      const rows = await db
        .insert(clusters)
        .values({ title: `cluster-${next()}`, provider: 'sandbox', ...values, organizationId })
        .returning()
      return only(rows)
    })
  }

  /** So many clusters that a plan which reads them all shows. */
  async function clusterCrowd(organizationId: number, count: number) {
    await database.ownerPool.query(
      `insert into clusters (organization_id, title, provider)
       select $1, 'crowd-' || n, 'sandbox' from generate_series(1, $2) n`,
      [organizationId, count],
    )
    // Plans follow the statistics, which would else come at a time of PostgreSQL's own choosing.
    await database.ownerPool.query('analyze clusters')
  }

  /** A database whose server nobody runs or looks at. */
  async function databaseRow(values: Insert<typeof databases> = {}): Promise<string> {
    const organizationId = values.organizationId ?? (await organization()).id
    const id = uuidv7()
    await database.withTenant(organizationId, (db) =>
      db.insert(databases).values({
        id,
        name: `database-${next()}`,
        provider: 'external',
        status: 'available',
        databaseName: 'app',
        username: 'app',
        tls: 'disable',
        checkAt: new Date(Date.now() + 3_600_000),
        ...values,
        organizationId,
      }),
    )
    return id
  }

  async function workflow(values: Insert<typeof workflows> = {}) {
    const organizationId = values.organizationId ?? (await organization()).id
    return database.withTenant(organizationId, async (db) => {
      const rows = await db
        .insert(workflows)
        .values({ id: uuidv7(), name: `workflow-${next()}`, type: 'custom', ...values, organizationId })
        .returning()
      return only(rows)
    })
  }

  async function run(values: Insert<typeof workflowRuns> = {}) {
    const parent =
      values.workflowId === undefined || values.organizationId === undefined
        ? await workflow({ organizationId: values.organizationId })
        : { id: values.workflowId, organizationId: values.organizationId }
    return database.withTenant(parent.organizationId, async (db) => {
      const rows = await db
        .insert(workflowRuns)
        .values({ id: uuidv7(), ...values, organizationId: parent.organizationId, workflowId: parent.id })
        .returning()
      return only(rows)
    })
  }

  /** So many runs that a plan which reads them all shows. */
  async function runCrowd(of: { organizationId: number; id: string }, count: number) {
    await database.ownerPool.query(
      `insert into workflow_runs (id, organization_id, workflow_id, status)
       select gen_random_uuid(), $1, $2, 'completed' from generate_series(1, $3)`,
      [of.organizationId, of.id, count],
    )
    await database.ownerPool.query('analyze workflow_runs')
  }

  async function step(values: Insert<typeof stepRuns> = {}) {
    const parent =
      values.runId === undefined || values.organizationId === undefined
        ? await run({ organizationId: values.organizationId })
        : { id: values.runId, organizationId: values.organizationId }
    return database.withTenant(parent.organizationId, async (db) => {
      const key = values.key ?? `step-${next()}`
      const rows = await db
        .insert(stepRuns)
        .values({
          id: uuidv7(),
          name: key,
          type: 'task',
          position: 0,
          ...values,
          key,
          organizationId: parent.organizationId,
          runId: parent.id,
        })
        .returning()
      return only(rows)
    })
  }

  /** A question that a step of a run waits for an admin to decide. */
  async function approval(values: Insert<typeof runApprovals> = {}) {
    const parent =
      values.stepRunId === undefined || values.runId === undefined || values.organizationId === undefined
        ? await step({ organizationId: values.organizationId, type: 'approval', status: 'waiting' })
        : { id: values.stepRunId, runId: values.runId, organizationId: values.organizationId }
    return database.withTenant(parent.organizationId, async (db) => {
      const rows = await db
        .insert(runApprovals)
        .values({
          id: uuidv7(),
          question: 'Go on?',
          approvers: { role: 'ADMIN', userIds: [], allowsRequester: false },
          ...values,
          organizationId: parent.organizationId,
          runId: parent.runId,
          stepRunId: parent.id,
        })
        .returning()
      return only(rows)
    })
  }

  /** Log lines of a step's run, numbered from 1. */
  async function logs(of: { organizationId: number; runId: string; id: string }, messages: string[]) {
    await database.withTenant(of.organizationId, async (db) => {
      await db.insert(stepLogs).values(
        messages.map((message, index) => ({
          organizationId: of.organizationId,
          runId: of.runId,
          stepRunId: of.id,
          seq: index + 1,
          message,
        })),
      )
    })
  }

  async function annotation(values: Insert<typeof annotations> = {}) {
    const organizationId = values.organizationId ?? (await organization()).id
    return database.withTenant(organizationId, async (db) => {
      const rows = await db
        .insert(annotations)
        .values({
          id: uuidv7(),
          componentName: 'Table',
          xpath: '//*[@id="main"]/div[1]',
          annotationText: 'The columns jump.',
          url: '/workflows',
          viewport: { width: 1440, height: 900 },
          elementRect: { top: 0, left: 0, width: 10, height: 10 },
          ...values,
          organizationId,
        })
        .returning()
      return only(rows)
    })
  }

  /** An API key of a user, or of the organization in which they are; by default with everything that their role holds. */
  async function apiKey(
    of: Pick<GivenUser, 'id' | 'organizationId' | 'role'>,
    values: Insert<typeof apiKeys> & { isPersonal?: boolean } = {},
  ) {
    const { isPersonal = true, ...columns } = values
    const token = newKeyToken()
    const id = uuidv7()
    const { organizationId } = of
    const secretId = uuidv7()
    await database.withTenant(organizationId, async (db) => {
      await db.insert(apiKeys).values({
        id,
        name: `key-${next()}`,
        ownerId: isPersonal ? of.id : null,
        madeBy: of.id,
        role: of.role,
        permissions: allPermissions.filter((permission) => roleHas(of.role, permission)),
        ...columns,
        organizationId,
      })
      await db.insert(apiKeySecrets).values({
        id: secretId,
        organizationId,
        keyId: id,
        tokenHash: hashToken(token),
        start: startOf(token),
      })
    })
    return { id, token, secretId, organizationId }
  }

  return {
    organization,
    user,
    apiKey,
    password,
    database: databaseRow,
    cluster,
    clusterCrowd,
    workflow,
    run,
    runCrowd,
    step,
    approval,
    logs,
    annotation,
  }
}

function only<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined || rows.length !== 1) throw new Error(`Expected one row, found ${rows.length}`)
  return row
}
