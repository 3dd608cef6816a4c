import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../tools/source-files.ts'

/** A cluster that the server under test did not start, with a kubeconfig of five contexts for it. */
export async function outsideCluster() {
  const main = join(root, 'packages/server/src/testing/importable-main.ts')
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] })
  const output = createInterface(child.stdout)
  const [line] = (await once(output, 'line')) as [string]
  const { kubeconfig, url } = JSON.parse(line) as { kubeconfig: string; url: string }
  return {
    kubeconfig,
    /** Whether its API still answers. */
    answers: () =>
      new Promise<boolean>((resolve) => {
        const options = { rejectUnauthorized: false, agent: false } as const
        get(`${url}/version`, options, (answer) => resolve(answer.resume().statusCode !== undefined)).on(
          'error',
          () => resolve(false),
        )
      }),
    /** Its process stands still: it accepts connections and answers nothing, until it goes on. */
    stand: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    /** Another cluster, for all that it holds, behind the same address. */
    async empty() {
      const done = once(output, 'line')
      child.stdin.write('empty\n')
      await done
    },
    async remove() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
