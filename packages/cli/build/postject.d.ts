declare module 'postject' {
  /** Writes a resource into an executable, in place. */
  export function inject(
    file: string,
    name: string,
    resource: Buffer,
    options: { sentinelFuse: string; machoSegmentName?: string },
  ): Promise<void>
}
