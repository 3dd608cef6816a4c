DROP INDEX "workflow_runs_queue_idx";--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "concurrency_key" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "concurrency_max" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "start_key" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "wake_requested_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "step_runs_concurrency_idx" ON "step_runs" USING btree ("organization_id","concurrency_key") WHERE "step_runs"."concurrency_key" is not null and "step_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "step_runs_wait_event_idx" ON "step_runs" USING btree ("organization_id","run_id") WHERE "step_runs"."type" = 'wait_event' and "step_runs"."status" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_start_key" ON "workflow_runs" USING btree ("workflow_id","start_key") WHERE "workflow_runs"."start_key" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_queue_idx" ON "workflow_runs" USING btree ("organization_id","priority" DESC NULLS LAST,"queued_at","id") WHERE "workflow_runs"."status" = 'queued' and "workflow_runs"."finished_at" is null and "workflow_runs"."executor_id" is null;