import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { SendRequest } from '../outbound-request.ts'
import { runScript, scriptLimits } from '../script/run-script.ts'
import { guaranteedBy } from '../guarantee.ts'
import type { ActionStepType } from '../step-type.ts'

const host = z
  .string()
  .regex(
    /^(\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:\d{1,5})?$/i,
    'Not a host such as api.example.org or *.example.org.',
  )
  .max(253)

const config = z.strictObject({
  code: z.string().min(1).max(200_000).meta({
    title: 'Code',
    description: 'JavaScript. input holds the values below; what it returns is the result.',
    'x-widget': 'javascript',
    'x-literal': true,
  }),
  input: z.record(z.string(), z.unknown()).default({}).meta({
    title: 'Input',
    description: 'Values by name, read in the code as input.name.',
    'x-widget': 'values',
  }),
  allow_network: z.array(host).max(50).default([]).meta({
    title: 'Hosts',
    description: 'Hosts that fetch may reach; without them there is no fetch.',
    'x-widget': 'list',
  }),
  memory_mb: z.number().int().min(1).max(256).default(64).meta({ title: 'Memory (MB)' }),
  cpu_ms: z
    .number()
    .int()
    .min(10)
    .max(60_000)
    .default(5_000)
    .meta({ title: 'Computing time', 'x-widget': 'duration' }),
  timeout_ms: z
    .number()
    .int()
    .min(10)
    .max(600_000)
    .default(30_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})

export function script(parts: { sendRequest: SendRequest }): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'script',
    label: 'Script',
    group: 'HTTP and scripts',
    icon: 'square-code',
    description: 'Runs JavaScript in a sandbox of its own, without files, modules or timers.',
    guaranteeNote:
      'Without hosts it only computes. With hosts, what its requests did before a crash is not known.',
    config,
    example: {
      code: 'console.log(`${input.pods.length} pods`)\nreturn input.pods.filter((pod) => pod.phase !== "Running")',
      input: { pods: '{{ steps.list.output.items }}' },
    },
    output: { type: 'object', properties: { result: { description: 'What the code returned.' } } },
    test: 'real_only',
    guarantee: guaranteedBy(
      config,
      [{ field: 'allow_network', values: [[]], guarantee: 'exactly_once' }],
      'at_least_once',
    ),
    async execute(context, given) {
      const result = await runScript({
        code: given.code,
        input: given.input,
        limits: { memoryMb: given.memory_mb, cpuMs: given.cpu_ms, timeoutMs: given.timeout_ms },
        signal: context.signal,
        log: (message, level) => context.log(message, level),
        ...(given.allow_network.length > 0 && {
          fetch: async (asked) => {
            requireHost(asked.url, given.allow_network)
            return parts.sendRequest({
              ...asked,
              timeoutMs: scriptLimits.fetchTimeoutMs,
              signal: context.signal,
            })
          },
        }),
      })
      return { result }
    },
  }
}

function requireHost(url: string, hosts: readonly string[]): void {
  const address = URL.canParse(url) ? new URL(url) : undefined
  const isAllowed = hosts.some((pattern) => {
    const lower = pattern.toLowerCase()
    if (address === undefined) return false
    const wanted = lower.includes(':') ? address.host : address.hostname
    return lower.startsWith('*.') ? wanted.endsWith(lower.slice(1)) : wanted === lower
  })
  if (isAllowed) return
  throw new StepFailure(
    `fetch may not reach ${address?.host ?? 'this address'}: it is not among the hosts of the step.`,
  )
}
