import { kindOfPlural } from './rules.ts'

/**
 * Acts on Kubernetes objects, by the action of their audit entry without `kubernetes.`, as they are done ("restart") and
 * as they were ("restarted"), each before the object. Where an act is not told apart, the verb of its request stands in.
 */
const acts = {
  // Verbs of the Kubernetes API reference.
  create: ['create', 'created'],
  update: ['change', 'changed'],
  patch: ['change', 'changed'],
  delete: ['delete', 'deleted'],
  get: ['read', 'read'],
  // What a request is for.
  restart: ['restart', 'restarted'],
  scale: ['scale', 'scaled'],
  rollback: ['roll back', 'rolled back'],
  pause: ['pause', 'paused'],
  resume: ['resume', 'resumed'],
  cordon: ['cordon', 'cordoned'],
  uncordon: ['uncordon', 'uncordoned'],
  drain: ['drain', 'drained'],
  taint: ['change the taints of', 'changed the taints of'],
  evict: ['evict', 'evicted'],
  label: ['change the labels of', 'changed the labels of'],
  annotate: ['change the annotations of', 'changed the annotations of'],
  set_image: ['change the image of', 'changed the image of'],
  resize: ['resize', 'resized'],
  apply: ['apply', 'applied'],
  job: ['run', 'ran'],
  create_token: ['make a token of', 'made a token of'],
  exec: ['open a shell in', 'opened a shell in'],
  attach: ['attach to', 'attached to'],
  portforward: ['forward a port of', 'forwarded a port of'],
  proxy: ['open a page of', 'opened a page of'],
  ephemeralcontainers: ['add a debug container to', 'added a debug container to'],
} as const satisfies Record<string, readonly [act: string, past: string]>

export type KubernetesAct = keyof typeof acts
export const kubernetesActs = Object.keys(acts) as readonly KubernetesAct[]

const prefix = 'kubernetes.'

/**
 * An act on a Kubernetes object with kind and name: "restarted deployment web"; "tried to restart deployment web" where
 * `hasFailed`. Undefined for what is no act on one object.
 */
export function kubernetesActText(
  action: string,
  object: string | null,
  hasFailed = false,
): string | undefined {
  const act = kubernetesActOf(action)
  if (act === undefined || object === null) return undefined
  const [resource = '', , ...name] = object.split('/')
  return actText(act, `${kindWords(resource)} ${name.join('/')}`, hasFailed)
}

/** The same without saying which object it was: "restarted a Kubernetes object". */
export function kubernetesActionText(action: string): string | undefined {
  const act = kubernetesActOf(action)
  return act && actText(act, 'a Kubernetes object', false)
}

function kubernetesActOf(action: string): KubernetesAct | undefined {
  const act = action.startsWith(prefix) ? action.slice(prefix.length) : ''
  return kubernetesActs.find((each) => each === act)
}

function actText(act: KubernetesAct, object: string, hasFailed: boolean): string {
  const [present, past] = acts[act]
  return `${hasFailed ? `tried to ${present}` : past} ${object}`
}

/** `statefulsets` is "stateful set"; of a kind that only its cluster knows, the singular of its resource. */
export function kindWords(plural: string): string {
  const kind = kindOfPlural(plural)
  if (kind !== undefined) return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return plural.replace(/(?<=ss|x|ch|sh)es$|s$/, '')
}
