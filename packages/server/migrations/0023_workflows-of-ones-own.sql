CREATE TABLE "approval_decisions" (
	"organization_id" integer NOT NULL,
	"approval_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"decision" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"form" jsonb,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approval_decisions_approval_id_user_id_pk" PRIMARY KEY("approval_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "approval_decisions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "run_approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"question" text NOT NULL,
	"details" text DEFAULT '' NOT NULL,
	"facts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"plan" text DEFAULT '' NOT NULL,
	"form" jsonb,
	"needed_count" integer DEFAULT 1 NOT NULL,
	"approvers" jsonb NOT NULL,
	"on_timeout" text DEFAULT 'reject' NOT NULL,
	"requested_by" integer,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "run_approvals_step_key" UNIQUE("step_run_id"),
	CONSTRAINT "run_approvals_organization_id_id_key" UNIQUE("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "run_approvals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "step_attempts" (
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"status" text NOT NULL,
	"executor_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"error" jsonb,
	CONSTRAINT "step_attempts_step_run_id_attempt_pk" PRIMARY KEY("step_run_id","attempt")
);
--> statement-breakpoint
ALTER TABLE "step_attempts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflow_triggers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"workflow_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"settings" jsonb NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"secret" "bytea",
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"last_fired_at" timestamp (3) with time zone,
	"last_run_id" uuid,
	"last_error" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_triggers_name_key" UNIQUE("workflow_id","name")
);
--> statement-breakpoint
ALTER TABLE "workflow_triggers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"organization_id" integer NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"checksum" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_versions_workflow_id_version_pk" PRIMARY KEY("workflow_id","version")
);
--> statement-breakpoint
ALTER TABLE "workflow_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "workflows" ALTER COLUMN "definition" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "workflows" ALTER COLUMN "definition" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "needs" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "parent_key" text;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "iteration" integer;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "input" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "workflow_version" integer;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "trigger_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "trigger_name" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "waiting" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "parent_run_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "parent_step_key" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "retry_of" uuid;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "priority" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "concurrency_key" text;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "deadline_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "tags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "created_by" integer;--> statement-breakpoint
ALTER TABLE "approval_decisions" ADD CONSTRAINT "approval_decisions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_decisions" ADD CONSTRAINT "approval_decisions_approval_fk" FOREIGN KEY ("organization_id","approval_id") REFERENCES "public"."run_approvals"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_approvals" ADD CONSTRAINT "run_approvals_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_approvals" ADD CONSTRAINT "run_approvals_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_attempts" ADD CONSTRAINT "step_attempts_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_triggers" ADD CONSTRAINT "workflow_triggers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_triggers" ADD CONSTRAINT "workflow_triggers_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_decisions_organization_idx" ON "approval_decisions" USING btree ("organization_id","approval_id");--> statement-breakpoint
CREATE INDEX "approval_decisions_user_idx" ON "approval_decisions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "run_approvals_run_idx" ON "run_approvals" USING btree ("organization_id","run_id");--> statement-breakpoint
CREATE INDEX "run_approvals_status_idx" ON "run_approvals" USING btree ("organization_id","status","requested_at","id");--> statement-breakpoint
CREATE INDEX "run_approvals_requested_by_idx" ON "run_approvals" USING btree ("requested_by") WHERE "run_approvals"."requested_by" is not null;--> statement-breakpoint
CREATE INDEX "workflow_triggers_workflow_idx" ON "workflow_triggers" USING btree ("organization_id","workflow_id");--> statement-breakpoint
CREATE INDEX "workflow_triggers_event_idx" ON "workflow_triggers" USING btree ("organization_id",("settings" ->> 'event')) WHERE "workflow_triggers"."type" = 'event' and "workflow_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "workflow_triggers_next_at_idx" ON "workflow_triggers" USING btree ("next_at") WHERE "workflow_triggers"."next_at" is not null and "workflow_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "workflow_triggers_created_by_idx" ON "workflow_triggers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "workflow_versions_organization_idx" ON "workflow_versions" USING btree ("organization_id","workflow_id","version");--> statement-breakpoint
CREATE INDEX "workflow_versions_created_by_idx" ON "workflow_versions" USING btree ("created_by");--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_runs_parent_idx" ON "workflow_runs" USING btree ("parent_run_id") WHERE "workflow_runs"."parent_run_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_retry_of_idx" ON "workflow_runs" USING btree ("retry_of") WHERE "workflow_runs"."retry_of" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_concurrency_idx" ON "workflow_runs" USING btree ("workflow_id","concurrency_key","queued_at") WHERE "workflow_runs"."finished_at" is null and "workflow_runs"."concurrency_key" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_queue_idx" ON "workflow_runs" USING btree ("priority" DESC NULLS LAST,"queued_at","id") WHERE "workflow_runs"."status" = 'queued' and "workflow_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "workflow_runs_trigger_idx" ON "workflow_runs" USING btree ("organization_id","trigger","queued_at");--> statement-breakpoint
CREATE INDEX "workflows_created_by_idx" ON "workflows" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "approval_decisions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "approval_decisions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "run_approvals" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "run_approvals" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "step_attempts" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_attempts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflow_triggers" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflow_triggers" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "workflow_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "workflow_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);