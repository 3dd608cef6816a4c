import { Status } from '../../ui/status.tsx'
import type { Entry } from './import-state.ts'

/** How a context's connection is, in a glyph and a word. */
export function ContextStatus({ entry: { outcome, context } }: { entry: Entry }) {
  switch (outcome.kind) {
    case 'refused':
      return <Status status="cancelled" label={refusalWord(context.problems[0]?.title)} />
    case 'testing':
      return <Status status="connecting" label="testing" />
    case 'error':
      return <Status status="failed" label="not tested" />
    case 'tested': {
      const { state, checks, stoppedAt } = outcome.test
      if (state === 'reachable') return <Status status="reachable" />
      if (state === 'unverified') return <Status status="warning" label="not verified" />
      const failed = checks.find(({ key }) => key === stoppedAt)
      return <Status status="failed" label={failed?.detail ?? 'failed'} />
    }
  }
}

const refusalWords: Readonly<Record<string, string>> = {
  'It logs in with a program': 'exec plug-in',
  'It logs in with an auth-provider': 'auth-provider',
  'It logs in with a password': 'password',
  'It names files of credentials': 'files',
  'It names a file of certificates': 'files',
  'It has no credentials': 'no credentials',
}

function refusalWord(title: string | undefined): string {
  return refusalWords[title ?? ''] ?? 'incomplete'
}
