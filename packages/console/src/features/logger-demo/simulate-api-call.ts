const durationMs = 1500
const successRate = 0.7

/** Takes 1.5 s and succeeds about 70 % of the time; `random` answers from 0 up to 1. */
export async function simulateApiCall(random: () => number = Math.random): Promise<void> {
  await new Promise((done) => setTimeout(done, durationMs))
  if (random() >= successRate) throw new Error('API call failed')
}
