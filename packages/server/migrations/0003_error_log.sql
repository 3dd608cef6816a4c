CREATE TABLE "error_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"message" text NOT NULL,
	"culprit" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"occurrence_count" integer DEFAULT 0 NOT NULL,
	"user_count" integer DEFAULT 0 NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"first_release" text NOT NULL,
	"last_release" text NOT NULL,
	"regressed_at" timestamp (3) with time zone,
	"status_changed_at" timestamp (3) with time zone,
	"status_changed_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "error_groups_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "error_groups_fingerprint_key" UNIQUE("organization_id","fingerprint"),
	CONSTRAINT "error_groups_status_is_known" CHECK ("error_groups"."status" in ('open', 'resolved', 'ignored'))
);
--> statement-breakpoint
ALTER TABLE "error_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_hours" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"occurrence_count" integer NOT NULL,
	CONSTRAINT "error_hours_group_id_hour_pk" PRIMARY KEY("group_id","hour")
);
--> statement-breakpoint
ALTER TABLE "error_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_releases" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"release" text NOT NULL,
	"occurrence_count" integer NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "error_releases_group_id_release_pk" PRIMARY KEY("group_id","release")
);
--> statement-breakpoint
ALTER TABLE "error_releases" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_users" (
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "error_users_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "error_users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "error_occurrences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" integer,
	"at" timestamp (3) with time zone NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL,
	"release" text NOT NULL,
	"repeats" integer DEFAULT 1 NOT NULL,
	"message" text NOT NULL,
	"stack" text NOT NULL,
	"component_stack" text NOT NULL,
	"source" text NOT NULL,
	"line" integer,
	"column" integer,
	"user_agent" text NOT NULL,
	"url" text NOT NULL,
	"session_id" text NOT NULL,
	"error_boundary" text NOT NULL,
	"error_boundary_stack" text NOT NULL,
	"additional_context" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "error_occurrences" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "error_groups" ADD CONSTRAINT "error_groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_groups" ADD CONSTRAINT "error_groups_status_changed_by_users_id_fk" FOREIGN KEY ("status_changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_hours" ADD CONSTRAINT "error_hours_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_releases" ADD CONSTRAINT "error_releases_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_users" ADD CONSTRAINT "error_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_users" ADD CONSTRAINT "error_users_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_occurrences" ADD CONSTRAINT "error_occurrences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "error_occurrences" ADD CONSTRAINT "error_occurrences_organization_id_group_id_error_groups_organization_id_id_fk" FOREIGN KEY ("organization_id","group_id") REFERENCES "public"."error_groups"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "error_groups_last_seen_at_idx" ON "error_groups" USING btree ("organization_id","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "error_groups_first_seen_at_idx" ON "error_groups" USING btree ("organization_id","first_seen_at","id");--> statement-breakpoint
CREATE INDEX "error_groups_occurrence_count_idx" ON "error_groups" USING btree ("organization_id","occurrence_count","id");--> statement-breakpoint
CREATE INDEX "error_groups_user_count_idx" ON "error_groups" USING btree ("organization_id","user_count","id");--> statement-breakpoint
CREATE INDEX "error_groups_status_changed_by_idx" ON "error_groups" USING btree ("status_changed_by");--> statement-breakpoint
CREATE INDEX "error_hours_hour_idx" ON "error_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "error_releases_release_idx" ON "error_releases" USING btree ("organization_id","release","group_id");--> statement-breakpoint
CREATE INDEX "error_users_user_id_idx" ON "error_users" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "error_occurrences_group_id_idx" ON "error_occurrences" USING btree ("group_id","id");--> statement-breakpoint
CREATE INDEX "error_occurrences_user_id_idx" ON "error_occurrences" USING btree ("user_id");--> statement-breakpoint
CREATE POLICY "tenant" ON "error_groups" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_groups" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_hours" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_hours" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_releases" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_releases" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_users" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_users" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "error_occurrences" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "error_occurrences" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);