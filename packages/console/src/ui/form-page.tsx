import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from './button.tsx'
import { Notice } from './notice.tsx'
import { PageHeader } from './page-header.tsx'
import { DelayedSkeleton, Skeleton } from './skeleton.tsx'

export interface FormPageProps {
  /** What is done: "Create cluster". It names the form, and its button unless `submitLabel` does. */
  title: string
  /** What happens then, in a sentence. */
  description: ReactNode
  /** Above the fields: for example why the user may view but not create. */
  notice?: ReactNode
  /** The fields. An invalid one has `aria-invalid`, as `Field` gives it. */
  children: ReactNode
  /** Beside the fields: what will be made, and the same on the command line. */
  summary?: ReactNode
  /** It was refused for a reason that belongs to no field. */
  refusal?: { title: string; detail: ReactNode } | undefined
  submitLabel?: string
  /** Why it cannot be submitted; the button stays where it is. */
  disabledReason?: string | undefined
  isBusy: boolean
  /** How often it was submitted or refused. After each time the first invalid field gets the focus. */
  attempts: number
  onSubmit: () => void
  /** Undefined where there is nowhere to return to. */
  cancelHref: string | undefined
}

/**
 * The page of a form: head, fields, and beside them what will be made with the buttons under it. On a phone the
 * buttons stay at the thumb. What the form holds, its errors and its unsaved text are up to the page: see
 * `useSubmission` of `lib/`.
 */
export function FormPage(props: FormPageProps) {
  const { title, description, notice, children, summary, refusal, attempts, onSubmit } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  return (
    <>
      <PageHeader title={title} description={description} />
      {notice ? <div className="px-(--gutter) pt-4">{notice}</div> : null}
      <form
        ref={form}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        className={`grid items-start gap-x-10 gap-y-8 px-(--gutter) pt-6 lg:pb-6 ${columns}`}
      >
        {/* A field that takes the focus is scrolled clear of the buttons at the end of the screen. */}
        <div className="flex min-w-0 flex-col gap-6 max-lg:[&_:is(input,select,textarea,button)]:scroll-mb-20">
          {children}
        </div>
        {/* On a phone its parts belong to the form itself, so that the buttons can stay at the end of the screen. */}
        <div className="min-w-0 flex-col gap-4 max-lg:contents lg:sticky lg:top-6 lg:flex">
          {summary}
          {refusal ? (
            <Notice tone="danger" title={refusal.title}>
              {refusal.detail}
            </Notice>
          ) : null}
          <Actions {...props} />
        </div>
      </form>
    </>
  )
}

const columns = 'lg:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)]'

function Actions({ title, submitLabel = title, isBusy, disabledReason, cancelHref }: FormPageProps) {
  return (
    <div className="flex gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:-mx-(--gutter) max-lg:border-t max-lg:border-line max-lg:bg-bg max-lg:px-(--gutter) max-lg:py-3">
      <Button
        type="submit"
        variant="primary"
        busy={isBusy}
        disabledReason={disabledReason}
        className="flex-1"
      >
        {submitLabel}
      </Button>
      {cancelHref === undefined ? null : <ButtonLink href={cancelHref}>Cancel</ButtonLink>}
    </div>
  )
}

/** The page of a form whose choices are still being read, could not be read, or do not exist. */
export function FormPagePlaceholder({
  title,
  description,
  children = <FormSkeleton />,
}: Pick<FormPageProps, 'title' | 'description'> & { children?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} description={description} />
      {children}
    </>
  )
}

function FormSkeleton() {
  return (
    <DelayedSkeleton>
      <span className={`grid gap-x-10 gap-y-8 px-(--gutter) py-6 ${columns}`}>
        <span className="flex flex-col gap-6">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-32 w-full" />
        </span>
        <Skeleton className="h-64 w-full" />
      </span>
    </DelayedSkeleton>
  )
}
