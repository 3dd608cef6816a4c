import type { ObjectRef, Remedy } from '@bey/contract'
import type { Rule } from '../rule.ts'
import {
  containerName,
  depths,
  editRemedy,
  kubectlTarget,
  ownerRef,
  podRef,
  proof,
  templateRemedy,
  waitsForImage,
} from '../rule.ts'
import type { Situation } from '../situation.ts'

/** What the runtime said about the image, from the container's status or from an event. */
function pullMessage({ container, events }: Situation): string | null {
  if (!container || !waitsForImage(container.status)) return null
  const waiting = container.status.state?.waiting
  const event = events.find(
    ({ reason, message }) => reason === 'Failed' && /pull image|failed to pull/i.test(message),
  )
  return [waiting?.message, event?.message].filter(Boolean).join(' ')
}

function imageRule(
  id: string,
  isIt: (message: string, situation: Situation) => boolean,
  cause: (image: string) => string,
  remedy: (image: string) => string,
): Rule {
  return {
    id,
    isLasting: true,
    find(situation) {
      const message = pullMessage(situation)
      if (message === null || !isIt(message, situation)) return null
      const image = situation.container?.spec.image ?? ''
      const name = containerName(situation)
      const target = ownerRef(situation)
      return {
        cause: cause(image),
        depth: depths.dependency,
        evidence: [
          proof('status', `The container ${name} waits for its image ${image}`, {
            quote: message.slice(0, 600) || null,
            object: podRef(situation),
          }),
        ],
        remedies: [
          target.kind === 'Job'
            ? templateRemedy(remedy(image), situation)
            : {
                text: remedy(image),
                action: { id: 'set-image', object: target },
                command: `kubectl set image ${kubectlTarget(target)} ${name}=<image>`,
              },
        ],
      }
    },
  }
}

const isNotFound = /not found|manifest unknown|does not exist/i
const isRefused = /unauthorized|denied|forbidden|authentication required|403|401/i
const isUnreachable = /no such host|refused|time(d )?out|network is unreachable|TLS|x509/i

export const imageRules: Rule[] = [
  imageRule(
    'image-name',
    (_message, { container }) => container?.status.state?.waiting?.reason === 'InvalidImageName',
    (image) => `"${image}" is not a valid name of an image`,
    () => 'Correct the name of the image',
  ),
  imageRule(
    'image-refused',
    (message) => isRefused.test(message) && !isNotFound.test(message),
    (image) => `The registry does not let this cluster pull ${image}`,
    () => 'Give the pods a pull secret for the registry, or use an image that they may pull',
  ),
  imageRule(
    'image-unreachable',
    (message) => isUnreachable.test(message) && !isNotFound.test(message),
    (image) => `The registry of ${image} cannot be reached from the node`,
    () => 'Check the address of the registry and the network of the node',
  ),
  imageRule(
    'image-missing',
    (message) => isNotFound.test(message),
    (image) => `The image ${image} cannot be pulled: its registry does not have it`,
    () => 'Set an image that exists',
  ),
  imageRule(
    'image-never-pulled',
    (_message, { container }) => container?.status.state?.waiting?.reason === 'ErrImageNeverPull',
    (image) => `The node does not have the image ${image}, and the pull policy Never forbids to pull it`,
    () => 'Set an image that the nodes have, or another pull policy',
  ),
  imageRule(
    'image-pull',
    () => true,
    (image) => `The image ${image} cannot be pulled`,
    () => 'Set an image that can be pulled',
  ),
]

/** Names what pods lack to be created: config maps, secrets, keys of them, claims. */
export const configRules: Rule[] = [
  {
    id: 'missing-reference',
    isLasting: true,
    find(situation) {
      const [first, ...more] = situation.missing
      if (!first) return null
      const namespace = situation.subject.namespace
      const waiting = situation.container?.status.state?.waiting
      const names = [first, ...more].map(({ kind, name }) => `${words(kind)} "${name}"`).join(', ')
      const object = { ...first, namespace }
      return {
        cause: `The ${names} that it needs does not exist in the namespace ${namespace}`,
        depth: depths.dependency,
        evidence: [
          ...(waiting
            ? [
                proof('status', `The container ${containerName(situation)} cannot be created`, {
                  quote: waiting.message ?? waiting.reason ?? null,
                  object: podRef(situation),
                }),
              ]
            : []),
          ...[first, ...more].map(({ kind, name, resource }) =>
            proof('reference', `There is no ${words(kind)} "${name}" in ${namespace}`, {
              object: { kind, name, resource, namespace },
            }),
          ),
        ],
        remedies: [
          {
            text: `Create the ${words(first.kind)} "${first.name}"`,
            action: { id: 'create', object },
            command: createCommand(first, namespace),
          },
          templateRemedy('Or correct the name where it is used', situation),
        ],
      }
    },
  },
  {
    id: 'missing-key',
    isLasting: true,
    find(situation) {
      const waiting = situation.container?.status.state?.waiting
      if (waiting?.reason !== 'CreateContainerConfigError') return null
      const found = /couldn't find key (\S+) in (ConfigMap|Secret) (?:\S+\/)?(\S+)/i.exec(
        waiting.message ?? '',
      )
      if (!found) return null
      const [, key = '', kind = '', name = ''] = found
      const namespace = situation.subject.namespace
      const resource = kind === 'Secret' ? 'secrets' : 'configmaps'
      const object: ObjectRef = { kind, resource, namespace, name }
      return {
        cause: `The ${words(kind)} "${name}" has no key "${key}"`,
        depth: depths.dependency,
        evidence: [
          proof('status', `The container ${containerName(situation)} cannot be created`, {
            quote: waiting.message ?? null,
            object: podRef(situation),
          }),
        ],
        remedies: situation.references.immutable.includes(`${kind}/${name}`)
          ? otherWithKey(situation, object, key)
          : [editRemedy(`Add the key "${key}" to the ${words(kind)}`, object)],
      }
    },
  },
]

/** What is immutable is never edited: another one takes its place. */
function otherWithKey(situation: Situation, object: ObjectRef, key: string): Remedy[] {
  const { kind, namespace } = object
  const name = `${object.name}-2`
  return [
    {
      text: `The ${words(kind)} is immutable: create another one that has the key "${key}" too`,
      action: { id: 'create', object: { ...object, name } },
      command: createCommand({ kind, name }, namespace),
    },
    templateRemedy('Then name that one where it is used', situation),
  ]
}

function createCommand({ kind, name }: { kind: string; name: string }, namespace: string): string | null {
  if (kind === 'ConfigMap')
    return `kubectl create configmap ${name} -n ${namespace} --from-literal=<key>=<value>`
  if (kind === 'Secret')
    return `kubectl create secret generic ${name} -n ${namespace} --from-literal=<key>=<value>`
  if (kind === 'ServiceAccount') return `kubectl create serviceaccount ${name} -n ${namespace}`
  return null
}

/** "ConfigMap" as "config map". */
export function words(kind: string): string {
  return kind.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
