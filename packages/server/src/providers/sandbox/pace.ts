import { sandboxStart } from '@bey/contract'
import type { ProviderStep } from '../../features/clusters/provider.ts'

/** Simulated machine boot: different for each cluster, the same for one cluster every time. */
const { min: minTotalMs, max: maxTotalMs } = sandboxStart.bootMs
const shares = { allocate: 0.35, start: 0.2, join: 0.4, addons: 0.05 }

export type Pace = {
  durationMs(part: keyof typeof shares): number
  wait(part: keyof typeof shares, step: ProviderStep): Promise<void>
}

export function paceOf(clusterId: number, speed: number): Pace {
  const totalMs = minTotalMs + fraction(clusterId) * (maxTotalMs - minTotalMs)
  const durationMs = (part: keyof typeof shares) => (totalMs * shares[part]) / speed
  return {
    durationMs,
    async wait(part, step) {
      const slices = 4
      for (let slice = 1; slice <= slices; slice += 1) {
        await step.sleep(durationMs(part) / slices)
        step.progress((slice / slices) * 80)
      }
    },
  }
}

/** A number from 0 to 1 that looks random but belongs to the id. */
function fraction(id: number): number {
  return ((Math.imul(id, 2_654_435_761) >>> 0) % 1000) / 1000
}
