import { useQuery } from '@tanstack/react-query'

/** The command line that this server offers. */
interface CliBuild {
  version: string
  bytes: number
  /** In hexadecimal. */
  sha256: string
  /** For machines without Node, of the system that the server was built on; absent where it was built without one. */
  executable?: { file: string; platform: string; arch: string; bytes: number; sha256: string }
}

export const cliFilePath = '/cli/bey.mjs'
export const cliCommandsPath = '/cli/commands.md'

/** A first start builds the file, and then the executable, once its page is there. */
const rereadMs = 5_000

/** What the build wrote beside the file; null where it is not built, or not yet. */
export function useCliBuild() {
  return useQuery({
    queryKey: ['cli-build'],
    queryFn: readBuild,
    staleTime: 60_000,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.executable ? false : rereadMs),
  })
}

async function readBuild(): Promise<CliBuild | null> {
  const response = await fetch('/cli/build.json')
  const isJson = response.headers.get('content-type')?.includes('json') === true
  if (!response.ok || !isJson) return null
  // Written by packages/cli/vite.config.ts.
  return (await response.json()) as CliBuild
}
