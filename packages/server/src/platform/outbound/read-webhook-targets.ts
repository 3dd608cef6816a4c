import { ConfigError } from '../errors.ts'
import { isWebhookTarget } from './is-webhook-target.ts'

/** Reads `BEY_SANDBOX_WEBHOOKS`. Throws ConfigError at the first that is no address. */
export function readWebhookTargets(value: string): string[] {
  const targets = value.split(',').map((target) => target.trim())
  return targets.filter((target) => {
    if (target === '' || isWebhookTarget(target)) return target !== ''
    throw new ConfigError(
      `BEY_SANDBOX_WEBHOOKS names "${target}". Set BEY_SANDBOX_WEBHOOKS to IP addresses or networks, with or without a port, for example 10.0.0.0/8,127.0.0.1:9443.`,
    )
  })
}
