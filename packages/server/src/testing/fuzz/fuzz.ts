import { setTimeout } from 'node:timers/promises'
import type { Endpoint, EndpointName, Role } from '@bey/contract'
import { api } from '@bey/contract/api'
import { roles } from '@bey/contract/base/permissions'
import { request } from 'undici'
import type { TestApp } from '../app.ts'
import { undeclaredPartOf } from '../declared-replies.ts'
import type { GivenUser } from '../given.ts'
import { seeded } from '../seeded.ts'
import { sweepCallOf } from '../sweep-calls.ts'
import type { SweepCall, World } from '../sweep.ts'
import { idsOf } from './ids-of.ts'
import { type FuzzRequest, requestOf } from './request-of.ts'
import { watchForStandstill, within } from './silence.ts'
import { type Chance, chanceOf } from './valid-value.ts'

export type FuzzOptions = {
  inputs: number
  seed: number
  /** How many requests go to one endpoint before the next. */
  inputsPerEndpoint: number
  /** Texts of another organization that no reply may hold. */
  canary: string
  /** Another organization, whose ids are tried too. */
  foreignId: number
  /** Which endpoints; default all. */
  only?: (name: EndpointName) => boolean
  /** Which endpoints get a call that succeeds to start from, on rows made for it. */
  hasBase: (endpoint: Endpoint) => boolean
  /** Lines of the log above warnings since the last call. */
  takeErrors: () => string[]
  onFinding?: (finding: Finding) => void
  onRound?: (sent: number) => Promise<void>
}

type Finding = { endpoint: EndpointName; why: string; input: string }

export type FuzzFigures = {
  sent: number
  /** Replies by the first digit of their status. */
  byStatus: Record<string, number>
  /** Endpoints that answered a success at least once. */
  succeeded: Set<EndpointName>
  slowestMs: number
  findings: Finding[]
}

const answerWithinMs = 10_000
/** Demos start a cluster and databases, of which some at once take longer on a busy machine. */
const heavyWithinMs = 60_000
const baseWithinMs = 20_000
const streamForMs = 100
/** What stands between requests: rows made for them, and whether members are admitted. */
const betweenWithinMs = 60_000
const standstillMs = 30_000
const atOnce = 4

/** Factories make databases as rows alone, so runs of what stands for them fail. */
const isOfMadeRows = (line: string) =>
  /No place was chosen for the server|It has no place|The database (or the backup )?of this run is gone/.test(
    line,
  )

/** Each success starts processes or a cluster, so some are enough. */
const isHeavy = (name: EndpointName) =>
  /^(clusters|databases|sandboxes|demo|databaseClusters)\.(create|import|seed|start|clone)|demo\./.test(name)
const heavySuccesses = 5

/** They end the organization or the membership of who calls, so that each needs people of its own. */
const endsOrganization = (name: EndpointName) => /^organization\.(delete|leave|transfer|restore)$/.test(name)

/** Sends requests that the contract allows, and changed ones, to every endpoint as members of every role. */
export async function fuzz(world: World, options: FuzzOptions): Promise<FuzzFigures> {
  const inFlight = new Set<string>()
  const stopWatch = watchForStandstill(standstillMs, () => [...inFlight].join('\n'))
  try {
    return await sendAll(world, options, inFlight)
  } finally {
    await stopWatch()
  }
}

async function sendAll(world: World, options: FuzzOptions, inFlight: Set<string>): Promise<FuzzFigures> {
  const figures: FuzzFigures = { sent: 0, byStatus: {}, succeeded: new Set(), slowestMs: 0, findings: [] }
  const chance = chanceOf(seeded(options.seed))
  const endpoints = (Object.entries(api) as [EndpointName, Endpoint][]).filter(
    ([name]) => options.only?.(name) ?? true,
  )
  const successes = new Map<EndpointName, number>()
  const reported = new Set<string>()
  const report = (endpoint: EndpointName, why: string, input: string) => {
    const kind = `${endpoint} ${why.replaceAll(/\d+|"[^"]*"/g, '').slice(0, 60)}`
    if (reported.has(kind)) return
    reported.add(kind)
    figures.findings.push({ endpoint, why, input })
    options.onFinding?.({ endpoint, why, input })
  }

  while (figures.sent < options.inputs) {
    const { ownerPool } = world.app.database
    const membersAnew = () => within('Making members', betweenWithinMs, actorsOf(world))
    let actors = await membersAnew()
    const own = await within('Reading ids', betweenWithinMs, idsOf(ownerPool, world.organizationId))
    const foreign = await within('Reading ids', betweenWithinMs, idsOf(ownerPool, options.foreignId))
    for (const [name, endpoint] of endpoints) {
      if (figures.sent >= options.inputs) break
      if (isHeavy(name) && (successes.get(name) ?? 0) >= heavySuccesses) continue
      // An input can have ended a session, or have asked all members for a second factor.
      const areAdmitted = () =>
        within(`The list of workflows before ${name}`, betweenWithinMs, isAdmitted(world, actors))
      if (!(await areAdmitted())) {
        const statement = 'delete from organization_policies where organization_id = $1'
        await ownerPool.query(statement, [world.organizationId])
        actors = await membersAnew()
        if (!(await areAdmitted())) throw new Error(`No member is admitted any more before ${name}`)
      }
      const base = options.hasBase(endpoint) ? await baseOf(name, world, actors) : undefined
      options.takeErrors()
      for (let sent = 0; sent < options.inputsPerEndpoint; sent += atOnce) {
        const inputs = await Promise.all(
          Array.from({ length: Math.min(atOnce, options.inputsPerEndpoint - sent) }, async () => {
            const { ids, idsFor } = chance.is(0.12) ? foreign : own
            const input = requestOf(endpoint, chance, { ids, idsFor, base })
            const actor = endsOrganization(name) ? await world.app.given.user() : actorOf(actors, chance)
            return { input, headers: { ...base?.headers, ...headersOf(endpoint, actor, chance) } }
          }),
        )
        await Promise.all(
          inputs.map(async ({ input, headers }) => {
            const shown = `${input.method} ${input.path.slice(0, 400)} ${(input.body ?? '').slice(0, 1_500)}`
            inFlight.add(shown)
            const reply = await replyTo(
              world.app,
              input,
              headers,
              isHeavy(name) ? heavyWithinMs : answerWithinMs,
            )
            inFlight.delete(shown)
            figures.sent += 1
            const digit = String(reply.status).slice(0, 1)
            figures.byStatus[digit] = (figures.byStatus[digit] ?? 0) + 1
            figures.slowestMs = Math.max(figures.slowestMs, reply.ms)
            if (digit === '2') {
              figures.succeeded.add(name)
              successes.set(name, (successes.get(name) ?? 0) + 1)
            }
            for (const why of wrongPartsOf(input, reply, options.canary)) report(name, why, shown)
          }),
        )
        const inputsShown = inputs.map(({ input }) =>
          `${input.method} ${input.path} ${input.body ?? ''}`.slice(0, 600),
        )
        for (const line of options.takeErrors().filter((each) => !isOfMadeRows(each)))
          report(name, `logged ${line.slice(0, 1_500)}`, inputsShown.join('\n'))
      }
    }
    await within('The end of a round', betweenWithinMs, Promise.resolve(options.onRound?.(figures.sent)))
  }
  return figures
}

export type FuzzReply = { status: number; headers: Headers; text: string; ms: number; isWhole: boolean }

/** Status 0 where the server did not answer. A body that goes on, as events do, is left after the first bytes. */
async function replyTo(
  { port }: TestApp,
  input: FuzzRequest,
  headers: Record<string, string>,
  withinMs: number,
): Promise<FuzzReply> {
  const startedAt = performance.now()
  const passed = () => performance.now() - startedAt
  const controller = new AbortController()
  const timer = globalThis.setTimeout(() => controller.abort(), withinMs)
  try {
    const {
      statusCode,
      headers: raw,
      body,
    } = await request(
      { protocol: 'http:', hostname: '127.0.0.1', port, path: input.path } as Parameters<typeof request>[0],
      {
        method: input.method as 'GET',
        headers: { ...headers, ...(input.contentType && { 'content-type': input.contentType }) },
        body: input.body ?? null,
        signal: controller.signal,
      },
    )
    const answered = passed()
    const known = Object.entries(raw).map(([name, value]): [string, string] => [name, String(value)])
    const isStream = !/^\d+$/.test(String(raw['content-length'])) && !/json/.test(String(raw['content-type']))
    if (isStream) globalThis.setTimeout(() => controller.abort(), streamForMs).unref()
    const text = await body.text().catch(() => undefined)
    return {
      status: statusCode,
      headers: new Headers(known),
      text: text ?? '',
      ms: answered,
      isWhole: text !== undefined,
    }
  } catch (error) {
    return { status: 0, headers: new Headers(), text: String(error), ms: passed(), isWhole: false }
  } finally {
    clearTimeout(timer)
  }
}

/** What of a reply does not hold, as sentences. */
export function wrongPartsOf(input: FuzzRequest, reply: FuzzReply, canary: string): string[] {
  const { status, text, headers } = reply
  if (status === 0) return [`no answer in time: ${text}`]
  const wrong: string[] = []
  if (status === 500) wrong.push(`answered 500: ${text.slice(0, 300)}`)
  if (text.includes(canary)) wrong.push('answered a text of another organization')
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '')
  const body = isJson && reply.isWhole && text !== '' ? parsed(text) : undefined
  if (body instanceof Error) wrong.push(`answered JSON that cannot be read: ${text.slice(0, 200)}`)
  const code = typeof body === 'object' && body ? Reflect.get(body, 'code') : undefined
  // An address with odd bytes can be that of another path or of none.
  const isOfNoRoute = code === 'route_not_found' || code === 'method_not_allowed'
  const undeclared =
    reply.isWhole && !isOfNoRoute
      ? undeclaredPartOf(input.method, input.path, { status, headers, text, body })
      : undefined
  if (undeclared !== undefined) wrong.push(undeclared)
  return wrong
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}

/** A member of each role. */
function actorsOf({ app, organizationId }: World): Promise<GivenUser[]> {
  return Promise.all(roles.map((role: Role) => app.given.user({ organizationId, role })))
}

function headersOf({ access }: Endpoint, actor: GivenUser, chance: Chance): Record<string, string> {
  if (access === 'public' && chance.is(0.7)) return {}
  const isOdd = chance.is(0.02)
  const organization = isOdd
    ? chance.pick(['0', '-1', '1e3', '2147483648', 'a', '1,1'])
    : String(actor.organizationId)
  const headers: Record<string, string> = {
    authorization: `Bearer ${actor.token}`,
    'x-organization-id': organization,
  }
  if (chance.is(0.05)) headers['idempotency-key'] = chance.pick(['a', 'x'.repeat(300), 'k-1'])
  if (chance.is(0.03)) headers['if-match'] = chance.pick(['"1"', '*', 'W/"x"', '"999999999999999999999"'])
  return headers
}

/** Whether each of the members may still act in the organization. */
async function isAdmitted({ app, organizationId }: World, actors: readonly GivenUser[]): Promise<boolean> {
  const replies = await Promise.all(
    actors.map(({ token }) => app.ask('GET', '/api/v1/workflows?limit=1', { token, organizationId })),
  )
  return replies.every(({ status }) => status === 200)
}

/** The owner in half of all cases, for who may not call an endpoint sees little of it. */
function actorOf(actors: readonly GivenUser[], chance: Chance): GivenUser {
  const [owner] = actors
  return owner !== undefined && chance.is(0.5) ? owner : chance.pick(actors)
}

/** A call that succeeds, or undefined where one cannot be made now, as after a limit was reached. */
async function baseOf(
  name: EndpointName,
  world: World,
  actors: readonly GivenUser[],
): Promise<SweepCall | undefined> {
  const [owner] = actors
  if (owner === undefined || endsOrganization(name) || isHeavy(name)) return undefined
  const controller = new AbortController()
  // Some wait for what an earlier request has ended.
  const late = setTimeout(baseWithinMs, undefined, { signal: controller.signal }).catch(() => undefined)
  const made = Promise.resolve(sweepCallOf(name).call(world, owner)).catch(() => undefined)
  try {
    return await Promise.race([made, late])
  } finally {
    controller.abort()
  }
}
