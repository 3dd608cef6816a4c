import {
  deploymentOfInputs,
  inputFields,
  inputSchema,
  rolloutOfInputs,
  type WorkflowTemplate,
} from './template.ts'

export const deployWithApproval: WorkflowTemplate = {
  id: 'deploy-with-approval',
  icon: 'rocket',
  definition: {
    name: 'Deploy with approval',
    description:
      'Asks before it deploys a new image, and goes back to the revision before when the rollout does not succeed.',
    type: 'deployment',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        deployment: inputFields.deployment,
        container: { type: 'string', title: 'Container', minLength: 1 },
        image: { type: 'string', title: 'New image', minLength: 1 },
        rollout_ms: { type: 'integer', title: 'Time for the rollout', default: 300_000, minimum: 1_000 },
      },
      ['cluster', 'deployment', 'container', 'image'],
    ),
    steps: [
      {
        key: 'current',
        name: 'Look at the deployment',
        type: 'kubernetes.get',
        config: { ...deploymentOfInputs, api_version: 'apps/v1', kind: 'Deployment' },
      },
      {
        key: 'approve',
        name: 'Approve',
        type: 'approval',
        config: {
          question: 'Deploy {{ inputs.image }} to {{ inputs.deployment }} in {{ inputs.cluster }}?',
          facts: {
            'Runs now':
              '{{ steps.current.output.object.spec.template.spec.containers.map(c, c.image).join(", ") }}',
            Replicas: '{{ steps.current.output.object.spec.replicas }}',
          },
          approvers: { role: 'ADMIN', allow_requester: true },
          timeout_ms: 86_400_000,
        },
      },
      {
        key: 'deploy',
        name: 'Change the image',
        type: 'kubernetes.apply',
        config: {
          cluster: '{{ inputs.cluster }}',
          field_manager: 'bey-deploy',
          force: true,
          manifest: {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: '{{ inputs.deployment }}', namespace: '{{ inputs.namespace }}' },
            spec: {
              template: {
                spec: { containers: [{ name: '{{ inputs.container }}', image: '{{ inputs.image }}' }] },
              },
            },
          },
        },
        compensate: { type: 'kubernetes.rollback', config: { ...deploymentOfInputs } },
      },
      {
        key: 'rollout',
        name: 'Wait for the rollout',
        type: 'kubernetes.wait',
        config: { ...rolloutOfInputs, timeout_ms: '{{ inputs.rollout_ms }}' },
      },
      {
        key: 'tell',
        name: 'Tell that it is done',
        type: 'notify',
        config: { title: '{{ inputs.deployment }} runs {{ inputs.image }}', level: 'success' },
      },
    ],
    outputs: { image: '{{ inputs.image }}' },
  },
}
