/** The code in large letters, to be compared with the terminal, and how long it lasts. */
export function ShownCode({ code, remainingMs }: { code: string; remainingMs: number }) {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const remaining = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <div className="mt-6">
      <p className="text-text-2">The terminal must show this code</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-3">
        <p className="flex items-center gap-1 sm:gap-2">
          <span className="sr-only">{code}</span>
          {code.split('').map((letter, index) =>
            letter === '-' ? (
              <span key={index} aria-hidden className="text-text-2">
                –
              </span>
            ) : (
              <span
                key={index}
                aria-hidden
                className="grid h-11 w-8 place-items-center rounded-control border border-line-strong bg-raised font-mono text-title sm:h-14 sm:w-11 sm:text-figure"
              >
                {letter}
              </span>
            ),
          )}
        </p>
        <p className="text-small text-text-2">
          ends in <span className="block font-semibold text-text tabular-nums">{remaining}</span>
        </p>
      </div>
    </div>
  )
}
