import { useState } from 'react'
import type { ReactNode } from 'react'
import type { useCliBuild } from '../../data/cli.ts'
import { cliCommandsPath, cliFilePath } from '../../data/cli.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes } from '../../lib/format.ts'
import { CodeBlock, Identifier } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type System = 'unix' | 'windows'

const systems = [
  { value: 'unix', label: 'Linux, macOS' },
  { value: 'windows', label: 'Windows' },
] as const

/** Install, log in, complete: in the order in which people do it. */
export function CliSteps({ build }: { build: ReturnType<typeof useCliBuild> }) {
  const [system, setSystem] = useState<System>('unix')
  const origin = location.origin
  const bey = system === 'unix' ? 'bey' : 'node bey.mjs'
  return (
    <ol className="flex flex-col gap-8">
      <Step
        number={1}
        title="Install"
        aside={<Segmented label="System" options={systems} value={system} onChange={setSystem} />}
      >
        <Install build={build} system={system} origin={origin} />
      </Step>
      <Step number={2} title="Log in" aside="no password reaches the terminal">
        <CodeBlock label="Log in" text={`${bey} login ${origin}`} />
        <p className="mt-2 text-small text-text-2">
          It shows a code. Compare it on the page that opens, and confirm. A machine without a browser prints
          the address: open it on any other.
        </p>
        <p className="mt-1 text-small text-text-2">
          Scripts use an API key instead: set <code className="font-mono">BEY_TOKEN</code>, and{' '}
          <code className="font-mono">BEY_URL={origin}</code>.
        </p>
      </Step>
      <Step number={3} title="Make it yours">
        <ul className="divide-y divide-line border-y border-line">
          <Line label="Completion for bash">
            {bey} completion bash &gt; ~/.local/share/bash-completion/completions/bey
          </Line>
          <Line label="Completion for zsh">{bey} completion zsh &gt; ~/.zfunc/_bey</Line>
          <Line label="Another organization">{bey} org switch &lt;name&gt;</Line>
          <Line label="All commands">{bey} --help</Line>
        </ul>
        <p className="mt-2 text-small text-text-2">
          <a className="underline underline-offset-4 hover:text-text" href={cliCommandsPath}>
            Every command with its flags
          </a>
          , made from the endpoints of this server.
        </p>
      </Step>
    </ol>
  )
}

const systemNames: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

interface InstallProps {
  build: ReturnType<typeof useCliBuild>
  system: System
  origin: string
}

function Install({ build, system, origin }: InstallProps) {
  if (build.isError) {
    return (
      <ErrorState
        {...errorText('The command line could not be looked up', build.error)}
        onRetry={() => void build.refetch()}
        isCompact
      />
    )
  }
  if (build.data === undefined) return <Skeleton className="h-24" />
  if (build.data === null) {
    return (
      <Notice tone="warn" title="This server has no command line to offer yet">
        A first start builds it within seconds of its page. If it does not come, run npm run build on the
        server.
      </Notice>
    )
  }
  const { bytes, sha256, executable } = build.data
  const address = `${origin}${cliFilePath}`
  const text =
    system === 'unix'
      ? `curl -fsS ${address} -o ~/.local/bin/bey\nchmod +x ~/.local/bin/bey`
      : `curl.exe -fsS ${address} -o bey.mjs`
  return (
    <>
      <CodeBlock label="Install" text={text} />
      <p className="mt-2 text-small text-text-2">
        One file of {formatBytes(bytes)} for Node 24 or newer.{' '}
        <a className="underline underline-offset-4 hover:text-text" href={cliFilePath} download>
          Download
        </a>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-text-2">
        Its SHA-256: <Identifier value={sha256} keep={12} label="Copy checksum" />
      </p>
      {executable ? (
        <p className="mt-2 flex flex-wrap items-center gap-x-2 text-small text-text-2">
          <span>
            Without Node: one executable of {formatBytes(executable.bytes)} for{' '}
            {systemNames[executable.platform] ?? executable.platform} {executable.arch}.
          </span>
          <a
            className="underline underline-offset-4 hover:text-text"
            href={`/cli/${executable.file}`}
            download
          >
            Download executable
          </a>
          <span className="flex items-center gap-x-2">
            Its SHA-256:{' '}
            <Identifier value={executable.sha256} keep={12} label="Copy checksum of executable" />
          </span>
        </p>
      ) : null}
    </>
  )
}

interface StepProps {
  number: number
  title: string
  aside?: ReactNode
  children: ReactNode
}

function Step({ number, title, aside, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-small"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="mb-2 flex min-h-6 flex-wrap items-center justify-between gap-2">
          <h2 className="font-semibold">{title}</h2>
          {aside ? <div className="text-small text-text-2">{aside}</div> : null}
        </div>
        {children}
      </div>
    </li>
  )
}

function Line({ label, children }: { label: string; children: string | string[] }) {
  const text = Array.isArray(children) ? children.join('') : children
  return (
    <li className="flex items-center gap-3 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="text-small text-text-2">{label}</p>
        <code className="block font-mono text-small break-words">{text}</code>
      </div>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </li>
  )
}
