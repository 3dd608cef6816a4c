import type { Clock } from '../../../../platform/clock.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { ActionContext } from '../step-type.ts'
import { type ClusterSession, expectStatus } from './cluster-session.ts'
import type { KubeObject } from './kube-object.ts'

const pollMs = 500
/** The condition of a job may come a little before or after its last lines. */
const lastLinesMs = 5_000

type FollowedJob = { namespace: string; name: string; path: string; timeoutMs: number; clock: Clock }

type JobEnd = { job: string; pod: string | null; exit_code: number | null; result: unknown }

/** Follows a job to its end, its log line by line. Throws StepFailure where it fails or takes too long. */
export async function followJob(
  session: ClusterSession,
  context: ActionContext,
  job: FollowedJob,
): Promise<JobEnd> {
  const startedAt = job.clock.monotonicMs()
  const seen = { pods: new Set<string>(), lastLine: '' }
  let logged = ''
  for (;;) {
    const state = await session.call('GET', job.path)
    expectStatus(state, [200], `The job ${job.name} could not be read`)
    const pods = await podsOf(session, job)
    const begun = pods.find((pod) => hasBegun(pod) && !seen.pods.has(pod.metadata?.name ?? ''))
    if (begun !== undefined) {
      await copyLog(session, context, job, begun, seen)
      continue
    }
    const end = endOf(state.body)
    const last = pods.at(-1)
    if (end !== undefined) {
      const result = {
        job: job.name,
        pod: last?.metadata?.name ?? null,
        exit_code: exitCodeOf(last),
        result: parsed(seen.lastLine),
      }
      if (end.isComplete) return result
      throw new StepFailure(`The job ${job.name} failed${whyOf(end.message, result.exit_code)}`)
    }
    const waiting = waitingReason(last)
    if (waiting !== '' && waiting !== logged) context.log(waiting)
    logged = waiting
    if (job.clock.monotonicMs() - startedAt > job.timeoutMs + lastLinesMs) {
      throw new StepFailure(`The job ${job.name} did not end within its time limit.`, { reason: 'timeout' })
    }
    await context.sleep(pollMs)
  }
}

async function copyLog(
  session: ClusterSession,
  context: ActionContext,
  { namespace }: FollowedJob,
  pod: KubeObject,
  seen: { pods: Set<string>; lastLine: string },
): Promise<void> {
  const name = pod.metadata?.name ?? ''
  seen.pods.add(name)
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log?container=main&follow=true`
  for await (const line of session.lines(path, context.signal)) {
    context.log(line)
    if (line.trim() !== '') seen.lastLine = line
  }
}

async function podsOf(session: ClusterSession, { namespace, name }: FollowedJob): Promise<KubeObject[]> {
  const selector = encodeURIComponent(`batch.kubernetes.io/job-name=${name}`)
  const reply = await session.call(
    'GET',
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?labelSelector=${selector}`,
  )
  expectStatus(reply, [200], 'The pods of the job could not be listed')
  const pods = (reply.body['items'] ?? []) as KubeObject[]
  const bornAt = (pod: KubeObject) => pod.metadata?.creationTimestamp ?? ''
  return pods.toSorted((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1))
}

type ContainerState = {
  running?: object
  terminated?: { exitCode?: number; reason?: string }
  waiting?: { reason?: string; message?: string }
}

function containerState(pod: KubeObject | undefined): ContainerState {
  const statuses = (pod?.status?.['containerStatuses'] ?? []) as { state?: ContainerState }[]
  return statuses[0]?.state ?? {}
}

function hasBegun(pod: KubeObject): boolean {
  const { running, terminated } = containerState(pod)
  return running !== undefined || terminated !== undefined
}

function exitCodeOf(pod: KubeObject | undefined): number | null {
  return containerState(pod).terminated?.exitCode ?? null
}

function waitingReason(pod: KubeObject | undefined): string {
  const { waiting } = containerState(pod)
  if (waiting?.reason === undefined) return ''
  return `The pod waits: ${waiting.reason}${waiting.message ? ` – ${waiting.message}` : ''}`
}

function endOf({ status }: KubeObject): { isComplete: boolean; message: string | undefined } | undefined {
  const conditions = (status?.['conditions'] ?? []) as { type?: string; status?: string; message?: string }[]
  const found = conditions.find(
    (each) => each.status === 'True' && (each.type === 'Complete' || each.type === 'Failed'),
  )
  return found && { isComplete: found.type === 'Complete', message: found.message }
}

function whyOf(message: string | undefined, exitCode: number | null): string {
  const exit = exitCode === null ? '' : ` with exit code ${exitCode}`
  return `${exit}${message ? `: ${message}` : '.'}`
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    // Programs may print anything.
    return line === '' ? null : line
  }
}
