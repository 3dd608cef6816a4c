import { connectionTestMs, deniedReason, sandboxStart } from '@bey/contract'
import {
  Boxes,
  CircleHelp,
  Eye,
  GraduationCap,
  Plug,
  ScrollText,
  Server,
  Trash2,
  Undo2,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useEnterDemo, useOwnDemo } from '../../data/own-demo.ts'
import { useRole } from '../../data/session.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { NodePicture } from '../../ui/node-picture.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { Status } from '../../ui/status.tsx'
import { incidentPicture, ownPicture, startingPicture } from './door-pictures.ts'

const { bootMs, restMs } = sandboxStart
const sandboxTime = `runs after ${(bootMs.min + restMs.min) / 1_000} to ${(bootMs.max + restMs.max) / 1_000} s`

const invitePeople = (
  <ButtonLink
    variant="ghost"
    size="small"
    icon={<UserPlus size={14} aria-hidden />}
    href="/workspaces/members"
  >
    Invite people
  </ButtonLink>
)

/** What an organization without clusters sees: three ways to begin, and how to read what comes. */
export function FirstRun() {
  const denied = deniedReason(useRole(), 'clusters.create')
  return (
    <div data-message="" className="px-(--gutter) pt-6 pb-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 className="text-title font-semibold">Nothing here yet. What do you want to see first?</h2>
          <p className="mt-0.5 text-text-2">
            The first two run on this machine and send nothing out. Each goes with one click, and you can take
            another later.
          </p>
        </div>
        <span className="max-sm:hidden">{invitePeople}</span>
      </div>
      <div className="mt-8 grid gap-y-10 lg:grid-cols-3 lg:gap-y-0 lg:divide-x lg:divide-line lg:[&>*]:px-7 lg:[&>*:first-child]:pl-0 lg:[&>*:last-child]:pr-0">
        <DemoDoor />
        <Door
          caption={<Status status="provisioning" label="Nodes join one after the other" />}
          picture={<NodePicture nodes={startingPicture} />}
          title="Watch a cluster come up"
          text="A sandbox cluster: its nodes are simulated, its Kubernetes API is real. Yours to break: scale it, drain a node, delete it."
          facts={[
            [<Boxes key="" size={15} aria-hidden />, 'A real Kubernetes API, kubectl works'],
            [<ScrollText key="" size={15} aria-hidden />, 'Every step with its usual time'],
            [<Trash2 key="" size={15} aria-hidden />, 'Deleting it leaves no trace'],
          ]}
          action={
            <ButtonLink href="/kubernetes/clusters/create" disabledReason={denied}>
              Create cluster
            </ButtonLink>
          }
          time={sandboxTime}
        />
        <Door
          caption={
            <span className="flex items-center gap-1.5 text-text-2">
              <StatusMark glyph="ring" />
              Your clusters, tested before anything is kept
            </span>
          }
          picture={<NodePicture nodes={ownPicture} />}
          title="Bring your own"
          text="Connect clusters that exist. Bey changes nothing in them by itself, and disconnecting leaves them as they were."
          facts={[
            [<Eye key="" size={15} aria-hidden />, 'Shows what Bey may do there'],
            [<Plug key="" size={15} aria-hidden />, 'Tests address, certificate and rights first'],
            [<Server key="" size={15} aria-hidden />, 'Several contexts of one kubeconfig at once'],
          ]}
          action={
            <ButtonLink href="/kubernetes/clusters/import" disabledReason={denied}>
              Choose a kubeconfig
            </ButtonLink>
          }
          time={`tested in at most ${connectionTestMs / 1_000} s`}
        />
      </div>
      <Legend />
      {/* On a phone the first way to begin is on the first screen, with its button. */}
      <p className="-ml-2.5 pt-4 sm:hidden">{invitePeople}</p>
    </div>
  )
}

function DemoDoor() {
  const own = useOwnDemo()
  const enter = useEnterDemo()
  return (
    <Door
      caption={<Status status="failing" label="3 workloads fail in production" />}
      picture={<NodePicture nodes={incidentPicture} />}
      title="Solve an incident"
      text="A demo: an organization of its own with 3 clusters, 5 colleagues and two weeks behind them. Since a few minutes a shop is failing. Find out why and put it right."
      facts={[
        [<CircleHelp key="" size={15} aria-hidden />, 'What fails, since when, what changed'],
        [<Undo2 key="" size={15} aria-hidden />, 'A rollback that you do yourself'],
        [<GraduationCap key="" size={15} aria-hidden />, '5 steps; one click removes all of it'],
      ]}
      action={
        <Button
          variant="primary"
          busy={enter.isPending}
          // Not the event: the mutation takes no input.
          onClick={() => enter.mutate()}
        >
          {own ? 'Back to the demo' : 'Open the demo'}
        </Button>
      }
      time={own ? 'as you left it' : 'opens at once, ready in about 10 s'}
      error={enter.error ? causeOf(enter.error) : undefined}
    />
  )
}

interface DoorProps {
  caption: ReactNode
  picture: ReactNode
  title: string
  text: string
  facts: readonly (readonly [icon: ReactNode, text: string])[]
  action: ReactNode
  time: string
  error?: string | undefined
}

function Door({ caption, picture, title, text, facts, action, time, error }: DoorProps) {
  return (
    // The three doors share six grid rows, so that their pictures, lists and buttons are aligned with each other.
    <section
      aria-label={title}
      className="flex min-w-0 flex-col lg:row-span-6 lg:grid lg:grid-cols-1 lg:grid-rows-subgrid lg:gap-y-0"
    >
      <p aria-hidden className="text-small font-medium">
        {caption}
      </p>
      <div className="mt-3.5">{picture}</div>
      <h3 className="mt-7 text-dialog font-semibold">{title}</h3>
      <p className="mt-1.5 text-text-2">{text}</p>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {facts.map(([icon, fact]) => (
          <li key={fact} className="flex min-h-8 items-center gap-2 py-1 text-text-2">
            <span className="shrink-0 text-text-3">{icon}</span>
            {fact}
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <div className="flex flex-wrap items-center gap-3">
          {action}
          <span className="text-small text-text-2">{time}</span>
        </div>
        {error === undefined ? null : (
          <div className="mt-3">
            <Notice tone="danger" title="The demo was not made">
              {error}
            </Notice>
          </div>
        )}
      </div>
    </section>
  )
}

/** Explains the pictures of nodes, which are the same on every other page. */
function Legend() {
  return (
    <dl className="mt-10 flex flex-wrap items-center gap-x-7 gap-y-3 border-t border-line pt-5 text-small text-text-2">
      <dt className="font-medium text-text">How to read it</dt>
      <Entry
        picture={
          <rect x="0.5" y="0.5" width="23" height="13" rx="2.5" fill="none" className="stroke-line-strong" />
        }
      >
        a cell is a node
      </Entry>
      <Entry
        picture={
          <>
            <rect x="8" y="0" width="4" height="14" className="fill-line-strong" />
            <rect x="8" y="6" width="4" height="8" className="fill-text-3" />
          </>
        }
      >
        a tick is a pod, filled by what it uses
      </Entry>
      <Entry picture={<rect x="9" y="0" width="4" height="14" className="fill-danger" />}>failing</Entry>
      <Entry
        picture={
          <>
            <rect x="0" y="5" width="24" height="4" className="fill-active" />
            <rect x="0" y="5" width="17" height="4" className="fill-line-strong" />
            <rect x="0" y="5" width="10" height="4" className="fill-text-2" />
          </>
        }
      >
        used, requested, all of a node
      </Entry>
    </dl>
  )
}

function Entry({ picture, children }: { picture: ReactNode; children: string }) {
  return (
    <dd className="flex items-center gap-2">
      <svg viewBox="0 0 24 14" width="24" height="14" aria-hidden className="shrink-0">
        {picture}
      </svg>
      {children}
    </dd>
  )
}
