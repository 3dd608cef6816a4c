import type { WorkflowDefinitionInput } from '@bey/contract/workflows/definition'

import { inputFields, inputSchema, type WorkflowTemplate } from './template.ts'

type Step = WorkflowDefinitionInput['steps'][number]

const weightKey = 'nginx.ingress.kubernetes.io/canary-weight'

function setWeight(weight: number): Record<string, unknown> {
  return {
    cluster: '{{ inputs.cluster }}',
    field_manager: 'bey-canary',
    force: true,
    manifest: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: '{{ inputs.ingress }}',
        namespace: '{{ inputs.namespace }}',
        annotations: { 'nginx.ingress.kubernetes.io/canary': 'true', [weightKey]: String(weight) },
      },
    },
  }
}

/** Raises the weight, waits, and checks; the weight goes back to nothing when a later step fails. */
function stage(weight: number): Step[] {
  return [
    {
      key: `set_${weight}`,
      name: `Send ${weight} % to the canary`,
      type: 'kubernetes.apply',
      config: setWeight(weight),
      compensate: { type: 'kubernetes.apply', config: setWeight(0) },
    },
    {
      key: `observe_${weight}`,
      name: 'Wait',
      type: 'wait',
      config: { duration_ms: '{{ inputs.observe_ms }}' },
    },
    {
      key: `check_${weight}`,
      name: 'Check its health',
      type: 'http',
      when: 'inputs.health_url != ""',
      config: { url: '{{ inputs.health_url }}', success: 'response.status == 200' },
      retry: { limit: 2, initialMs: 2_000 },
    },
  ]
}

export const canary: WorkflowTemplate = {
  id: 'canary',
  icon: 'bird',
  definition: {
    name: 'Canary by weight',
    description:
      'Sends more and more requests to a canary ingress, checks its health after each stage, and goes back to 0 % when a check fails.',
    type: 'deployment',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        ingress: { type: 'string', title: 'Ingress of the canary', minLength: 1 },
        observe_ms: { type: 'integer', title: 'Time of each stage', default: 300_000, minimum: 1 },
        health_url: {
          type: 'string',
          title: 'Address of the health check',
          description: 'Left empty, nothing is asked.',
          default: '',
        },
      },
      ['cluster', 'ingress'],
    ),
    steps: [...stage(10), ...stage(50), ...stage(100)],
  },
}
