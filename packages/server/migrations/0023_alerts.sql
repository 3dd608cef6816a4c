CREATE TABLE "alert_episodes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"alert_id" uuid NOT NULL,
	"labels" jsonb NOT NULL,
	"fired_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"peak" double precision,
	"notified_at" timestamp (3) with time zone,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" integer,
	"acted_on_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "alert_episodes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "alert_evaluations" (
	"alert_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"instances" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"unit" text,
	"error" text,
	"evaluated_to_ms" bigint,
	"evaluated_at" timestamp (3) with time zone,
	"gap_from" timestamp (3) with time zone,
	"gap_to" timestamp (3) with time zone,
	"check_at" timestamp (3) with time zone DEFAULT now()
);
--> statement-breakpoint
ALTER TABLE "alert_evaluations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "alert_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"alert_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"title" text NOT NULL,
	"user_ids" integer[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_notices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"expr" text NOT NULL,
	"condition" jsonb NOT NULL,
	"for_ms" integer NOT NULL,
	"severity" text NOT NULL,
	"audience" text NOT NULL,
	"owner_id" integer,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"silenced_until" timestamp (3) with time zone,
	"silence_reason" text,
	"silenced_by" integer,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"row_version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alerts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "alert_episodes" ADD CONSTRAINT "alert_episodes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_episodes" ADD CONSTRAINT "alert_episodes_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_episodes" ADD CONSTRAINT "alert_episodes_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_evaluations" ADD CONSTRAINT "alert_evaluations_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_evaluations" ADD CONSTRAINT "alert_evaluations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_notices" ADD CONSTRAINT "alert_notices_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_notices" ADD CONSTRAINT "alert_notices_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_silenced_by_users_id_fk" FOREIGN KEY ("silenced_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_episodes_alert_id_idx" ON "alert_episodes" USING btree ("alert_id","fired_at");--> statement-breakpoint
CREATE INDEX "alert_episodes_open_idx" ON "alert_episodes" USING btree ("organization_id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "alert_episodes_fired_at_idx" ON "alert_episodes" USING btree ("organization_id","fired_at");--> statement-breakpoint
CREATE INDEX "alert_episodes_acknowledged_by_idx" ON "alert_episodes" USING btree ("acknowledged_by");--> statement-breakpoint
CREATE INDEX "alert_evaluations_check_at_idx" ON "alert_evaluations" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "alert_evaluations_organization_id_idx" ON "alert_evaluations" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "alert_notices_alert_id_idx" ON "alert_notices" USING btree ("alert_id","at");--> statement-breakpoint
CREATE INDEX "alert_notices_at_idx" ON "alert_notices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "alert_notices_organization_id_idx" ON "alert_notices" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_name_key" ON "alerts" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "alerts_owner_id_idx" ON "alerts" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "alerts_silenced_by_idx" ON "alerts" USING btree ("silenced_by");--> statement-breakpoint
CREATE INDEX "alerts_created_by_idx" ON "alerts" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "alert_episodes" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "alert_episodes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "alert_evaluations" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "alert_evaluations" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "alert_notices" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "alert_notices" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "alerts" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "alerts" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);