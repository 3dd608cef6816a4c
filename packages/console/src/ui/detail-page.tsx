import type { ReactNode } from 'react'
import { Below } from './below.tsx'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import type { ErrorStateProps } from './error-state.tsx'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { PageHeader } from './page-header.tsx'
import { DelayedSkeleton, Skeleton } from './skeleton.tsx'
import { Tabs } from './tabs.tsx'

/** A part of the thing, with an address of its own. */
export interface DetailTab<Subject> {
  /** Its part of the address. */
  id: string
  label: string
  /** A count beside the label. */
  count?: ReactNode
  content: (subject: Subject) => ReactNode
  /** The geometry of the content while the thing is read; left out: two blocks. */
  skeleton?: ReactNode
  /** The tab under which it stands, one of several parts; left out: it is a tab of its own. Parts follow one another. */
  group?: string
}

export interface DetailPageProps<Subject> {
  /** What it is, in lower case: "cluster". Names the tabs, and the page where there is no such thing. */
  noun: string
  /** Undefined while it is read, and when it cannot be read. The functions below are called once it is there. */
  subject: Subject | undefined
  /** As soon as it is known; the address may know it before the thing is read. */
  title: ReactNode
  /** Beside the title: health or status first, then short facts. */
  badges?: (subject: Subject) => ReactNode
  /** Under the title, one line: since when, and what else is known. */
  subtitle?: (subject: Subject) => ReactNode
  /** How many lines the subtitle has where there is room for each; default 1. They are kept free while the thing is read. */
  subtitleLines?: 1 | 2
  /** Buttons, the primary one last, and the menu. */
  actions?: (subject: Subject) => ReactNode
  /** On a phone the actions are a menu, and one button at most: they stand beside the title. */
  areActionsNarrow?: boolean
  /** Between head and content: what has to be known first, such as that it is being deleted. */
  notice?: (subject: Subject) => ReactNode
  tabs?: readonly DetailTab<Subject>[]
  /** The tab in the address; undefined is the first one. */
  tab?: string | undefined
  /** The address of a tab; of the first one without its id. */
  tabHref?: (id: string | undefined) => string
  /** What a thing without tabs shows under its head, and the geometry of that while the thing is read. */
  content?: (subject: Subject) => ReactNode
  skeleton?: ReactNode
  /** There is no such thing in this organization: what to say, and a link to where to go on. */
  missing?: { title: string; description?: ReactNode; action: ReactNode } | false | undefined
  /** It could not be read, and nothing read before can be shown. */
  failure?: ErrorStateProps | undefined
  /** What is shown is old, and its source cannot be read: states lose their colours. */
  isStale?: boolean
}

const elsewhere =
  'It may have been deleted, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar.'

/**
 * The page of one thing: head, tabs, content. It draws each of its states itself: being read, missing, failed, stale,
 * an address with an unknown tab. The head keeps its height while the thing is read, so that tabs never move; on a
 * phone, where titles wrap, they are seen once the thing is.
 */
export function DetailPage<Subject>(props: DetailPageProps<Subject>) {
  const { noun, subject, missing, failure, tabs = [], tab, content, skeleton, isStale = false } = props
  if (missing) return <Missing noun={noun} missing={missing} />
  const currentTab = tab === undefined ? tabs[0] : tabs.find((each) => each.id === tab)
  const shown = content ? { content, skeleton } : currentTab
  const hasFailed = failure !== undefined && subject === undefined
  return staleRegion(
    isStale,
    <>
      <DetailHead {...props} currentTab={currentTab} hasFailed={hasFailed} />
      {hasFailed ? null : <GroupParts tabs={tabs} current={currentTab} hrefOf={props.tabHref} />}
      {hasFailed ? <ErrorState {...failure} /> : <DetailContent {...props} shown={shown} />}
    </>,
  )
}

// No component of its own: what has a component's name is offered to annotations, and this element has no box.
function staleRegion(isStale: boolean, children: ReactNode) {
  return (
    <div className="contents" data-stale={isStale ? '' : undefined}>
      {children}
    </div>
  )
}

function DetailHead<Subject>(
  props: DetailPageProps<Subject> & { currentTab: DetailTab<Subject> | undefined; hasFailed: boolean },
) {
  const {
    noun,
    subject,
    title,
    badges,
    subtitle,
    subtitleLines = 1,
    actions,
    areActionsNarrow = false,
    tabs,
    tabHref,
    currentTab,
    hasFailed,
  } = props
  const fill = (part: ((subject: Subject) => ReactNode) | undefined) =>
    part && subject !== undefined ? part(subject) : null
  return (
    <PageHeader
      title={title ?? (hasFailed ? sentenceCase(noun) : undefined)}
      aside={fill(badges)}
      description={subtitle ? (fill(subtitle) ?? <Lines count={subtitleLines} />) : undefined}
      actions={fill(actions)}
      reserves={{
        aside: badges !== undefined,
        actions: actions !== undefined && (areActionsNarrow ? 'beside' : true),
      }}
    >
      {tabs && tabHref ? (
        // On a phone titles and facts wrap: where the tabs stand is known when the thing is.
        <Below isReady={subject !== undefined || hasFailed} isOnPhoneOnly>
          <Tabs
            label={`Parts of the ${noun}`}
            tabs={tabs
              .filter((each, index) => each.group === undefined || each.group !== tabs[index - 1]?.group)
              .map((each) => ({
                href: tabHref(each === tabs[0] ? undefined : each.id),
                label: each.group ?? each.label,
                count: each.count,
                isCurrent:
                  each === currentTab || (each.group !== undefined && each.group === currentTab?.group),
              }))}
          />
        </Below>
      ) : null}
    </PageHeader>
  )
}

/** The parts of the tab that is open, where it has several. */
function GroupParts<Subject>({
  tabs,
  current,
  hrefOf,
}: {
  tabs: readonly DetailTab<Subject>[]
  current: DetailTab<Subject> | undefined
  hrefOf: ((id: string) => string) | undefined
}) {
  if (current?.group === undefined || !hrefOf) return null
  const parts = tabs.filter(({ group }) => group === current.group)
  return (
    <nav
      aria-label={`Parts of ${current.group}`}
      className="flex h-10 shrink-0 items-center gap-1 overflow-x-auto border-b border-line px-(--gutter)"
    >
      {parts.map((part) => (
        <Link
          key={part.id}
          href={hrefOf(part.id)}
          aria-current={part === current ? 'page' : undefined}
          className={cx(
            'flex h-7 items-center rounded-control px-2 whitespace-nowrap -outline-offset-2 first:-ml-2 touch:h-9',
            part === current ? 'bg-active font-medium' : 'text-text-2 hover:bg-hover hover:text-text',
          )}
        >
          {part.label}
        </Link>
      ))}
    </nav>
  )
}

/** The room of a subtitle that is being read. */
function Lines({ count }: { count: 1 | 2 }) {
  return <span aria-hidden className={count === 1 ? 'block h-5' : 'block h-13'} />
}

function DetailContent<Subject>(
  props: DetailPageProps<Subject> & {
    shown: Pick<DetailTab<Subject>, 'content' | 'skeleton'> | undefined
  },
) {
  const { noun, subject, notice, tabs = [], tabHref, shown } = props
  if (!shown) {
    const labels = tabs.map(({ label }) => label.toLowerCase()).join(', ')
    const first = tabs[0]?.label.toLowerCase() ?? ''
    return (
      <EmptyState
        title="There is no such tab"
        description={`The tabs of a ${noun} are ${labels}.`}
        action={tabHref ? <ButtonLink href={tabHref(undefined)}>Open the {first}</ButtonLink> : null}
      />
    )
  }
  if (subject === undefined) return shown.skeleton ?? <ContentSkeleton />
  return (
    <>
      {notice?.(subject)}
      {shown.content(subject)}
    </>
  )
}

function ContentSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </span>
    </DelayedSkeleton>
  )
}

function Missing({
  noun,
  missing,
}: {
  noun: string
  missing: Exclude<DetailPageProps<unknown>['missing'], false | undefined>
}) {
  const { title, description = elsewhere, action } = missing
  return (
    <>
      <PageHeader title={`${sentenceCase(noun)} not found`} />
      <EmptyState title={title} description={description} action={action} />
    </>
  )
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
