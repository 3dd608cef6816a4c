import type { Rule } from '../rule.ts'
import { depths, editRemedy, kubectlTarget, openRemedy, proof, refOf } from '../rule.ts'
import type { Situation } from '../situation.ts'

function subjectRef({ subject: { kind, resource, namespace, name } }: Situation) {
  return { kind, resource, namespace, name }
}

type ServiceSpec = { type?: string; selector?: Record<string, string> }
type HpaSpec = { scaleTargetRef?: { kind?: string; name?: string } }

export const serviceRules: Rule[] = [
  {
    id: 'service-no-endpoints',
    isLasting: true,
    find(situation) {
      const { subject, readyEndpoints, selectedPods } = situation
      if (subject.kind !== 'Service' || readyEndpoints[subject.name] !== 0) return null
      const { type, selector = {} } = (subject.object.spec ?? {}) as ServiceSpec
      const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`)
      // Without a selector its addresses are written by somebody else.
      if (type === 'ExternalName' || labels.length === 0) return null
      const object = subjectRef(situation)
      const isEmpty = selectedPods.length === 0
      return {
        cause: isEmpty
          ? `No pod has the labels of its selector, ${labels.join(', ')}`
          : `None of the ${selectedPods.length} pods behind it is ready`,
        depth: depths.dependency,
        evidence: [
          proof('reference', `The service "${subject.name}" has no ready endpoint`, { object }),
          proof('reference', `Its selector is ${labels.join(', ')}`, { object }),
          ...selectedPods.slice(0, 5).map((name) =>
            proof('reference', 'A pod that it selects is not ready', {
              object: refOf('Pod', subject.namespace, name),
            }),
          ),
        ],
        remedies: isEmpty
          ? [
              {
                text: 'Compare the selector with the labels of the pods, and correct it',
                action: { id: 'edit-yaml', object },
                command: `kubectl get pods -n ${subject.namespace} --show-labels`,
              },
            ]
          : selectedPods
              .slice(0, 1)
              .map((name) =>
                openRemedy(`See why the pod ${name} is not ready`, refOf('Pod', subject.namespace, name)),
              ),
      }
    },
  },
]

export const scalingRules: Rule[] = [
  {
    id: 'scaling-inactive',
    isLasting: true,
    find(situation) {
      const { subject } = situation
      if (subject.kind !== 'HorizontalPodAutoscaler') return null
      const conditions = subject.object.status?.conditions ?? []
      const found = ['AbleToScale', 'ScalingActive']
        .map((wanted) => conditions.find(({ type, status }) => type === wanted && status === 'False'))
        .find((each) => each !== undefined)
      // Somebody scaled it to zero, which switches the autoscaler off until it is scaled up again.
      if (!found || found.reason === 'ScalingDisabled') return null
      const { kind = '', name = '' } = ((subject.object.spec ?? {}) as HpaSpec).scaleTargetRef ?? {}
      const target = refOf(kind, subject.namespace, name)
      const isOfMetrics = /Metric/.test(found.reason ?? '')
      return {
        cause: isOfMetrics
          ? `It gets no metrics of the pods of ${kind} ${name}, so it does not scale`
          : `It cannot scale ${kind} ${name}`,
        depth: depths.dependency,
        evidence: [
          proof('status', `${found.type} is false: ${found.reason ?? ''}`, {
            quote: found.message,
            object: subjectRef(situation),
            at: found.lastTransitionTime,
          }),
        ],
        remedies: [
          isOfMetrics
            ? {
                text: 'Check that the metrics API answers, and that the containers request what is measured',
                action: { id: 'open', object: target },
                command: `kubectl top pods -n ${subject.namespace}`,
              }
            : openRemedy('See whether what it scales exists', target),
        ],
      }
    },
  },
]

type Webhook = {
  name?: string
  failurePolicy?: string
  clientConfig?: { service?: { namespace?: string; name?: string } }
}

export const webhookRules: Rule[] = [
  {
    id: 'webhook-unanswered',
    isLasting: true,
    find(situation) {
      const { subject, readyEndpoints } = situation
      const closed = webhooksOf(subject.object).find(
        ({ key, isClosed }) => isClosed && readyEndpoints[key] === 0,
      )
      if (!closed) return null
      const object = subjectRef(situation)
      const service = refOf('Service', closed.namespace, closed.service)
      return {
        cause: `Nothing answers the webhook "${closed.name}", which fails closed: the API server refuses every request that it is asked about`,
        depth: depths.dependency,
        evidence: [
          proof('status', `The failure policy of "${closed.name}" is Fail`, { object }),
          proof('reference', `Its service ${closed.key} has no ready endpoint`, { object: service }),
        ],
        remedies: [
          openRemedy('Bring the pods behind its service back', service),
          editRemedy(
            'Or let requests pass meanwhile: set failurePolicy to Ignore',
            object,
            `kubectl edit ${kubectlTarget(object)}`,
          ),
        ],
      }
    },
  },
]

/** The webhooks of a configuration that a service of the cluster answers; empty for every other kind. */
export function webhooksOf(object: Situation['subject']['object']) {
  const { webhooks = [] } = object as { webhooks?: Webhook[] | null }
  return (webhooks ?? []).flatMap(({ name = '', failurePolicy = 'Fail', clientConfig }) => {
    const { namespace = '', name: service = '' } = clientConfig?.service ?? {}
    if (service === '') return []
    return [{ name, namespace, service, key: `${namespace}/${service}`, isClosed: failurePolicy === 'Fail' }]
  })
}
