const firstPauseMs = 1_000
const longestPauseMs = 30_000

/**
 * Loads a script of the console, however long the server is away. Asks again after 1, 2, 4 … 30 seconds, and at once
 * when the network is back. A script that came and failed is not asked for again: its error is thrown.
 */
export async function retryImport<T>(load: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after another
      return await load()
    } catch (error) {
      if (!isMissing(error)) throw error
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pause(pauseMs)
    }
  }
}

/** The words of Chromium, Firefox and Safari for a script that did not come. */
function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message)
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    window.addEventListener('online', end)
  })
}
