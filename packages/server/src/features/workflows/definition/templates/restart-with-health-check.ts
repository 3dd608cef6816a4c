import {
  deploymentOfInputs,
  inputFields,
  inputSchema,
  rolloutOfInputs,
  type WorkflowTemplate,
} from './template.ts'

export const restartWithHealthCheck: WorkflowTemplate = {
  id: 'restart-with-health-check',
  icon: 'rotate-cw',
  definition: {
    name: 'Restart with health check',
    description: 'Restarts a deployment, waits for its new pods, and asks its health address.',
    type: 'maintenance',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        deployment: inputFields.deployment,
        health_url: {
          type: 'string',
          title: 'Address of the health check',
          description: 'Left empty, nothing is asked.',
          default: '',
        },
      },
      ['cluster', 'deployment'],
    ),
    steps: [
      { key: 'restart', name: 'Restart', type: 'kubernetes.restart', config: { ...deploymentOfInputs } },
      {
        key: 'rollout',
        name: 'Wait for the new pods',
        type: 'kubernetes.wait',
        config: { ...rolloutOfInputs },
      },
      {
        key: 'health',
        name: 'Ask its health',
        type: 'http',
        when: 'inputs.health_url != ""',
        config: { url: '{{ inputs.health_url }}', success: 'response.status == 200' },
        retry: { limit: 5, initialMs: 2_000 },
      },
    ],
    outputs: { generation: '{{ steps.restart.output.generation }}' },
  },
}
