// What `npm start` and `npm test` are doing and for how long. Plain JavaScript: runs before anything is installed.
const frameMs = 200

/**
 * Says that something begins. On a terminal the line counts seconds, and shows what `progress` answers; in a file it is
 * written twice, at its beginning and its end.
 */
export function beginStep(title, progress = () => '') {
  const startedAtMs = performance.now()
  const isLive = process.stdout.isTTY === true
  const seconds = () => ((performance.now() - startedAtMs) / 1_000).toFixed(1)
  const draw = () => {
    const text = [`${title} …`, `${seconds()} s`, progress()].filter(Boolean).join('  ')
    process.stdout.write(`\r\x1b[K  ${text.slice(0, (process.stdout.columns ?? 80) - 3)}`)
  }
  if (!isLive) process.stdout.write(`  ${title} …\n`)
  const timer = isLive ? setInterval(draw, frameMs) : undefined
  if (isLive) draw()

  function finish(mark) {
    clearInterval(timer)
    process.stdout.write(`${isLive ? '\r\x1b[K' : ''}${mark} ${title} (${seconds()} s)\n`)
  }

  return {
    /** It is done; `notes` is what its program wrote nevertheless. */
    end(notes = '') {
      finish('✓')
      if (notes.trim()) process.stdout.write(`${notes.trim()}\n`)
    },
    fail: () => finish('✗'),
  }
}
