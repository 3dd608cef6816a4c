import { randomUUID } from 'node:crypto'
import pg from 'pg'

interface StepRow {
  key: string
  name?: string
  type?: string
  status?: string
  guarantee?: string
  needs?: readonly string[]
  parentKey?: string
  note?: string
  attempt?: number
  progress?: number
  /** Seconds before now; null where it has not begun or ended. */
  began?: number | null
  ended?: number | null
  input?: object
  output?: object
  error?: string
  attempts?: readonly {
    status: string
    began: number
    ended: number | null
    executor: string
    error?: string
  }[]
  approval?: {
    question: string
    details?: string
    facts?: readonly { name: string; value: string }[]
    plan?: string
    form?: object
    needed?: number
    role?: string
  }
}

interface RunRow {
  workflowId: string
  status: string
  steps: readonly StepRow[]
  /** Seconds before now. */
  began: number
  ended?: number | null
  trigger?: string
  input?: object
  output?: object
  error?: { message: string; stepKey: string | null }
  waiting?: { kind: string; text: string; until: string | null }
  version?: number
  recoveryCount?: number
  retryOf?: string
  /** How many lines its steps wrote, each about as many. */
  lines?: number
}

/** Runs as they stand in the database, for what takes days to happen or thousands of steps. */
export async function withRunRows<T>(
  databaseUrl: string,
  organizationId: number,
  write: (rows: RunRows) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bey-seed' })
  await client.connect()
  try {
    return await write(runRows(client, organizationId))
  } finally {
    await client.end()
  }
}

export type RunRows = ReturnType<typeof runRows>

function runRows(client: pg.Client, organizationId: number) {
  const before = (seconds: number | null | undefined) =>
    seconds == null ? null : new Date(Date.now() - seconds * 1_000)
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

  async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {})
    // A statement takes at most 65,535 values.
    const size = Math.floor(60_000 / Math.max(1, columns.length))
    for (let from = 0; from < rows.length; from += size) {
      const part = rows.slice(from, from + size)
      const places = part.map(
        (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
      )
      await client.query(
        `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`,
        part.flatMap((row) => columns.map((column) => row[column])),
      )
    }
  }

  return {
    async workflow(name: string): Promise<string> {
      const id = randomUUID()
      const row = { id, organization_id: organizationId, name, type: 'deployment', current_version: 13 }
      await insert('workflows', [row])
      return id
    },

    async run(run: RunRow): Promise<string> {
      const id = randomUUID()
      const of = { organization_id: organizationId, run_id: id }
      const steps = run.steps.map((step, position) => ({ ...step, id: randomUUID(), position }))
      await insert('workflow_runs', [
        {
          id,
          organization_id: organizationId,
          workflow_id: run.workflowId,
          status: run.status,
          trigger: run.trigger ?? 'manual',
          input: json(run.input ?? {}),
          output: json(run.output),
          error: json(run.error),
          waiting: json(run.waiting),
          workflow_version: run.version ?? 13,
          recovery_count: run.recoveryCount ?? 0,
          retry_of: run.retryOf ?? null,
          log_count: run.lines ?? 0,
          queued_at: before(run.began),
          started_at: before(run.began),
          finished_at: before(run.ended),
          // No process may take it for lost.
          executor_id: null,
        },
      ])
      await insert(
        'step_runs',
        steps.map((step) => ({
          id: step.id,
          ...of,
          key: step.key,
          name: step.name ?? step.key,
          type: step.type ?? 'http',
          position: step.position,
          status: step.status ?? 'pending',
          guarantee: step.guarantee ?? 'at_least_once_keyed',
          needs: [...(step.needs ?? [])],
          parent_key: step.parentKey ?? null,
          note: step.note ?? '',
          attempt: step.attempt ?? (step.began == null ? 0 : 1),
          progress_percent: step.progress ?? (step.status === 'succeeded' ? 100 : 0),
          input: json(step.input),
          output: json(step.output),
          error: json(step.error === undefined ? undefined : { message: step.error }),
          started_at: before(step.began),
          finished_at: before(step.ended),
        })),
      )
      for (const step of steps) {
        const ofStep = { ...of, step_run_id: step.id }
        if (step.attempts) {
          await insert(
            'step_attempts',
            step.attempts.map((attempt, index) => ({
              ...ofStep,
              attempt: index + 1,
              status: attempt.status,
              executor_id: attempt.executor,
              started_at: before(attempt.began),
              finished_at: before(attempt.ended),
              error: json(attempt.error === undefined ? undefined : { message: attempt.error }),
            })),
          )
        }
        if (step.approval) {
          const { question, details, facts, plan, form, needed, role } = step.approval
          await insert('run_approvals', [
            {
              id: randomUUID(),
              ...ofStep,
              question,
              details: details ?? '',
              facts: json(facts ?? []),
              plan: plan ?? '',
              form: json(form),
              needed_count: needed ?? 1,
              approvers: json({ role: role ?? 'ADMIN', userIds: [], allowsRequester: false }),
              requested_at: before(step.began),
              expires_at: before(-1_560),
            },
          ])
        }
      }
      const stepIds = steps.map((step) => step.id)
      await insertLines(client, organizationId, id, stepIds, run.lines ?? 0)
      return id
    },
  }
}

async function insertLines(
  client: pg.Client,
  organizationId: number,
  runId: string,
  stepRunIds: readonly string[],
  count: number,
): Promise<void> {
  if (stepRunIds.length === 0 || count === 0) return
  await client.query(
    `insert into step_logs (organization_id, run_id, seq, step_run_id, at, level, message)
     select $1, $2, n, ($3::uuid[])[1 + (n - 1)::bigint * $5 / $4], now() - make_interval(secs => $4 - n),
       case when n % 97 = 0 then 'warning' else 'info' end,
       'Object ' || n || ' of ' || $4 || ' copied to backups-eu' ||
       case when n % 1000 = 0 then ', checkpoint written' else '' end
     from generate_series(1, $4::int) n`,
    [organizationId, runId, stepRunIds, count, stepRunIds.length],
  )
}
