import type { WorkflowDefinitionInput } from '@bey/contract/workflows/definition'

/** A workflow to begin with: it runs as it comes, and its inputs say what it works on. */
export type WorkflowTemplate = {
  id: string
  /** Name of a lucide icon. */
  icon: string
  definition: WorkflowDefinitionInput
}

/** Fields of an input that several templates ask for. */
export const inputFields = {
  cluster: {
    type: 'string',
    title: 'Cluster',
    description: 'Name of a cluster.',
    minLength: 1,
    'x-widget': 'cluster',
  },
  namespace: { type: 'string', title: 'Namespace', default: 'default', 'x-widget': 'namespace' },
  deployment: { type: 'string', title: 'Deployment', minLength: 1 },
} as const

/** Schema of an input. `required` ones have no default. */
export function inputSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): Record<string, unknown> {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

/** The fields of a config that name the deployment of the inputs. */
export const deploymentOfInputs = {
  cluster: '{{ inputs.cluster }}',
  namespace: '{{ inputs.namespace }}',
  name: '{{ inputs.deployment }}',
} as const

/** Waits until that deployment is rolled out. */
export const rolloutOfInputs = {
  ...deploymentOfInputs,
  api_version: 'apps/v1',
  kind: 'Deployment',
  until: 'rollout',
} as const
