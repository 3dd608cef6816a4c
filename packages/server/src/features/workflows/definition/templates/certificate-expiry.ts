import { inputSchema, type WorkflowTemplate } from './template.ts'

export const certificateExpiry: WorkflowTemplate = {
  id: 'certificate-expiry',
  icon: 'shield-alert',
  definition: {
    name: 'Certificate expiry check',
    description:
      'Reads the certificates of servers and notifies before one expires. Give it a daily schedule.',
    type: 'maintenance',
    inputSchema: inputSchema(
      {
        hosts: {
          type: 'array',
          title: 'Hosts',
          description: 'E.g. example.org or example.org:8443.',
          items: { type: 'string', minLength: 1 },
          minItems: 1,
          maxItems: 100,
        },
        warn_days: { type: 'integer', title: 'Warn before (days)', default: 21, minimum: 1 },
      },
      ['hosts'],
    ),
    steps: [
      {
        key: 'check',
        name: 'Read the certificate',
        type: 'certificate.check',
        foreach: { items: 'inputs.hosts', maxParallel: 5 },
        config: {
          host: '{{ item.split(":")[0] }}',
          port: '{{ item.contains(":") ? int(item.split(":")[1]) : 443 }}',
        },
      },
      {
        key: 'expiring',
        name: 'Find those that expire',
        type: 'transform',
        config: {
          values: {
            list: '{{ steps.check.output.results.filter(r, r.status == "succeeded" && r.output.days_left < inputs.warn_days).map(r, r.output.subject + " in " + string(r.output.days_left) + " days") }}',
          },
        },
      },
      {
        key: 'tell',
        name: 'Notify',
        type: 'notify',
        when: 'steps.expiring.output.list.size() > 0',
        config: {
          title:
            '{{ steps.expiring.output.list.size() == 1 ? "1 certificate expires soon" : string(steps.expiring.output.list.size()) + " certificates expire soon" }}',
          message: '{{ steps.expiring.output.list.join(", ") }}',
          level: 'warning',
        },
      },
    ],
    outputs: { expiring: '{{ steps.expiring.output.list }}' },
  },
}
