import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Firefox through WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), which it speaks by itself: as much of it as
// our journeys need. Playwright drives a Firefox of its own making, and asks a released one for commands that it lacks.

/** A page of a Firefox, driven as a person would: by roles and names, by clicks and keys. */
export interface FirefoxPage {
  /** "Firefox 153.7.0". */
  browser: string
  goto: (url: string) => Promise<void>
  /** What a function answers that runs in the page, given a text; both go as JSON. */
  evaluate: <T>(inPage: (text: string) => T, text?: string) => Promise<T>
  /** Clicks the first element with the role and the accessible name; waits for it up to 30 s. */
  click: (role: string, name: string) => Promise<void>
  /** Types text, one key after the other, where the focus is. */
  type: (text: string) => Promise<void>
  /** Presses keys together: `press(keys.control, 'k')`. */
  press: (...keys: string[]) => Promise<void>
  close: () => Promise<void>
}

/** Keys without a letter (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
export const keys = { enter: '\uE007', tab: '\uE004', escape: '\uE00C', control: '\uE009' }

type Send = <T>(method: string, params: object) => Promise<T>

/** Starts a Firefox without windows and with a profile of its own, and opens a page in it. */
export async function openFirefox(
  path: string,
  { width, height }: { width: number; height: number },
): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'bey-firefox-'))
  const child = spawn(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' } },
  )
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const end = async () => {
    child.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const { send, close } = await connect(await addressOf(child.stderr))
    const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', {
      capabilities: {},
    })
    const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
    const context = contexts[0]?.context ?? ''
    await send('browsingContext.setViewport', { context, viewport: { width, height } })
    return {
      ...pageOf(send, context),
      browser: `Firefox ${capabilities.browserVersion}`,
      async close() {
        close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

function pageOf(send: Send, context: string): Omit<FirefoxPage, 'browser' | 'close'> {
  const locate = async (role: string, name: string) => {
    const locator = { type: 'accessibility', value: { role, name } }
    const { nodes } = await send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', {
      context,
      locator,
    })
    return nodes
  }
  const act = (actions: object[]) => send<object>('input.performActions', { context, actions })
  const keyActions = (actions: object[]) => act([{ type: 'key', id: 'keyboard', actions }])
  return {
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate<T>(inPage: (text: string) => T, text = '') {
      const answer = await send<{ type: string; result?: { value?: string }; exceptionDetails?: object }>(
        'script.evaluate',
        {
          expression: `JSON.stringify((${inPage.toString()})(${JSON.stringify(text)}) ?? null)`,
          target: { context },
          awaitPromise: false,
        },
      )
      if (answer.type !== 'success') throw new Error(JSON.stringify(answer.exceptionDetails))
      // The function itself says what it answers.
      return JSON.parse(answer.result?.value ?? 'null') as T
    },

    async click(role, name) {
      const deadline = Date.now() + 30_000
      let [node] = await locate(role, name)
      while (!node && Date.now() < deadline) [node] = await locate(role, name)
      if (!node) throw new Error(`There is no ${role} "${name}".`)
      await send('script.callFunction', {
        functionDeclaration: "(element) => element.scrollIntoView({ block: 'nearest' })",
        target: { context },
        arguments: [{ sharedId: node.sharedId }],
        awaitPromise: false,
      })
      const origin = { type: 'element', element: { sharedId: node.sharedId } }
      await act([
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ])
    },
    async type(text) {
      await keyActions(
        text.split('').flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      )
    },
    async press(...pressed) {
      await keyActions([
        ...pressed.map((value) => ({ type: 'keyDown', value })),
        ...pressed.toReversed().map((value) => ({ type: 'keyUp', value })),
      ])
    },
  }
}

/** Firefox says on its standard error where it listens. */
function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
      if (address) done(`${address}/session`)
    })
    stderr.once('end', () => fail(new Error(`Firefox ended before it listened:\n${text}`)))
  })
}

async function connect(address: string): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, { done: (result: unknown) => void; fail: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data))
    const call = waiting.get(id)
    waiting.delete(id)
    if (type === 'error') call?.fail(new Error(`${error}: ${message}`))
    else call?.done(result)
  })
  socket.addEventListener('close', () => {
    for (const { fail } of waiting.values()) fail(new Error('Firefox closed the connection.'))
  })
  await new Promise((done, fail) => {
    socket.addEventListener('open', done, { once: true })
    socket.addEventListener('error', fail, { once: true })
  })
  let last = 0
  return {
    send: <T>(method: string, params: object) =>
      new Promise<T>((done, fail) => {
        last += 1
        // The protocol says what each command answers.
        waiting.set(last, { done: (result) => done(result as T), fail })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}
