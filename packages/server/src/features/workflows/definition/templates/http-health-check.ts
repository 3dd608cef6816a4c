import { inputSchema, type WorkflowTemplate } from './template.ts'

export const httpHealthCheck: WorkflowTemplate = {
  id: 'http-health-check',
  icon: 'heart-pulse',
  definition: {
    name: 'HTTP health check',
    description:
      'Asks an address, three times if need be, and notifies when it does not answer as it should.',
    type: 'maintenance',
    inputSchema: inputSchema(
      {
        url: { type: 'string', title: 'Address', format: 'uri' },
        status: { type: 'integer', title: 'Expected status', default: 200 },
      },
      ['url'],
    ),
    steps: [
      {
        key: 'ask',
        name: 'Ask the address',
        type: 'http',
        config: { url: '{{ inputs.url }}', success: 'true', timeout_ms: 10_000 },
        retry: { limit: 2, initialMs: 1_000 },
        continueOnError: true,
      },
      {
        key: 'judge',
        name: 'Compare the status',
        type: 'transform',
        config: {
          values: {
            is_healthy: '{{ steps.ask.status == "succeeded" && steps.ask.output.status == inputs.status }}',
          },
        },
      },
      {
        key: 'tell',
        name: 'Notify',
        type: 'notify',
        when: '!steps.judge.output.is_healthy',
        config: {
          title: 'A health check failed',
          message:
            '{{ inputs.url }} answered {{ steps.ask.output.?status.orValue("nothing") }} instead of {{ inputs.status }}.',
          level: 'error',
        },
      },
      {
        key: 'fail',
        name: 'Fail the run',
        type: 'stop',
        when: '!steps.judge.output.is_healthy',
        config: { status: 'failed', message: '{{ inputs.url }} is not healthy.' },
      },
    ],
    outputs: { status: '{{ steps.ask.output.?status.orValue(0) }}' },
  },
}
