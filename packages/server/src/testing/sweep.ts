import type { EndpointName, Role } from '@bey/contract'
import type { Reply, TestApp } from './app.ts'
import type { GivenUser } from './given.ts'

/** What the sweep calls endpoints on: one organization with a cluster that really runs. */
export type World = { app: TestApp; organizationId: number; runningClusterId: number }

export type SweepCall = {
  params?: Record<string, string | number>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** Who makes the call that succeeds, where it would end the organization of the sweep. */
  as?: { token: string; organizationId: number }
  /** What represents the `*` at the end of a path. */
  rest?: string
}

export type SweepRow = {
  /** A call that succeeds, on rows made for it. */
  call(world: World, user: GivenUser): Promise<SweepCall> | SweepCall
  /** The least role for this very call, where the endpoint's permission is not all that it takes. */
  role?: Role
  /** Lists in its reply beside the rows, such as the columns of a table. */
  besideRows?: readonly string[]
  /** Its path names a kind of thing, not a thing of the organization. */
  isForEveryOrganization?: true
}

/** What `features/<noun>/sweep.ts` exports: how to call the endpoints of the feature successfully. */
export type SweepCalls = { [N in EndpointName]?: SweepRow }

export const onRunning: SweepRow = { call: ({ runningClusterId }) => ({ params: { id: runningClusterId } }) }

let counter = 0

/** A name that no other thing of the sweep has. */
export const newName = () => `sweep-${(counter += 1)}`

const owners = new WeakMap<World, Promise<GivenUser>>()

/** An owner of the world's organization, always the same: each event is sent to every member, which must stay few. */
export function ownerOf(world: World): Promise<GivenUser> {
  const { app, organizationId } = world
  const owner = owners.get(world) ?? app.given.user({ organizationId, role: 'OWNER' })
  owners.set(world, owner)
  return owner
}

/** A request as this owner. */
export async function asOwner(world: World, method: string, path: string, body?: unknown): Promise<Reply> {
  const { organizationId } = world
  const { token } = await ownerOf(world)
  return world.app.ask(method, path, { token, organizationId, ...(body === undefined ? {} : { body }) })
}
