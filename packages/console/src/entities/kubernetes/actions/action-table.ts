import type { ObjectAction } from './action.ts'
import { editLabels, remove, rollback } from './any-object-actions.ts'
import { expand } from './claim-actions.ts'
import { retry, suspend, trigger, unsuspend } from './job-actions.ts'
import { cordon, drain, uncordon } from './node-actions.ts'
import { debug, evict } from './pod-actions.ts'
import { pause, restart, resume, scale, setImage } from './workload-actions.ts'

/** Every action once, in the order of menus: what destroys stands last. */
export const objectActions: readonly ObjectAction[] = [
  restart,
  scale,
  rollback,
  setImage,
  pause,
  resume,
  trigger,
  suspend,
  unsuspend,
  retry,
  expand,
  cordon,
  uncordon,
  drain,
  debug,
  evict,
  editLabels,
  remove,
]

/** The actions of a resource, as kubectl names it. */
export function actionsFor(resource: string): readonly ObjectAction[] {
  return objectActions.filter((action) => action.isFor(resource))
}
