CREATE TABLE "price_versions" (
	"organization_id" integer NOT NULL,
	"version" integer NOT NULL,
	"currency" text NOT NULL,
	"prices" jsonb NOT NULL,
	"holds_from" timestamp (3) with time zone NOT NULL,
	"note" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "price_versions_pk" PRIMARY KEY("organization_id","version")
);
--> statement-breakpoint
ALTER TABLE "price_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_days" (
	"organization_id" integer NOT NULL,
	"day" date NOT NULL,
	"meter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"value" numeric NOT NULL,
	"event_count" bigint NOT NULL,
	CONSTRAINT "usage_days_pk" PRIMARY KEY("organization_id","day","meter","subject_id")
);
--> statement-breakpoint
ALTER TABLE "usage_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_events" (
	"organization_id" integer NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "usage_events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"event_id" text NOT NULL,
	"meter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"value" numeric NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_seeded" boolean DEFAULT false NOT NULL,
	CONSTRAINT "usage_events_pk" PRIMARY KEY("organization_id","seq"),
	CONSTRAINT "usage_events_source_key" UNIQUE("organization_id","source","event_id")
);
--> statement-breakpoint
ALTER TABLE "usage_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_gaps" (
	"organization_id" integer NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"name" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_gaps_pk" PRIMARY KEY("organization_id","entity_type","entity_id","from_at")
);
--> statement-breakpoint
ALTER TABLE "usage_gaps" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_hours" (
	"organization_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"meter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"value" numeric NOT NULL,
	"event_count" bigint NOT NULL,
	CONSTRAINT "usage_hours_pk" PRIMARY KEY("organization_id","hour","meter","subject_id")
);
--> statement-breakpoint
ALTER TABLE "usage_hours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_marks" (
	"organization_id" integer NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"metered_to" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_marks_pk" PRIMARY KEY("organization_id","entity_type","entity_id")
);
--> statement-breakpoint
ALTER TABLE "usage_marks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_pending" (
	"organization_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"meter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"value" numeric NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_pending_pk" PRIMARY KEY("organization_id","seq")
);
--> statement-breakpoint
ALTER TABLE "usage_pending" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_settings" (
	"organization_id" integer PRIMARY KEY NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"shared_cost" text DEFAULT 'requests' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "usage_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_subjects" (
	"organization_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "usage_subjects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" uuid NOT NULL,
	"cluster_id" integer,
	"cluster_name" text,
	"namespace" text,
	"workload" text,
	"resource_id" text,
	"resource_name" text,
	"owner_id" integer,
	"owner_name" text,
	"person_id" integer,
	"person_name" text,
	"provider" text,
	"region" text,
	"node_type" text,
	"labels" jsonb NOT NULL,
	CONSTRAINT "usage_subjects_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "usage_subjects_key" UNIQUE("organization_id","key")
);
--> statement-breakpoint
ALTER TABLE "usage_subjects" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "price_versions" ADD CONSTRAINT "price_versions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_versions" ADD CONSTRAINT "price_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_events" ADD CONSTRAINT "usage_events_subject_fk" FOREIGN KEY ("organization_id","subject_id") REFERENCES "public"."usage_subjects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_gaps" ADD CONSTRAINT "usage_gaps_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_marks" ADD CONSTRAINT "usage_marks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_pending" ADD CONSTRAINT "usage_pending_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_settings" ADD CONSTRAINT "usage_settings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_subjects" ADD CONSTRAINT "usage_subjects_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "price_versions_holds_from_key" ON "price_versions" USING btree ("organization_id","holds_from");--> statement-breakpoint
CREATE INDEX "price_versions_created_by_idx" ON "price_versions" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "usage_events_at_idx" ON "usage_events" USING btree ("organization_id","at","seq");--> statement-breakpoint
CREATE INDEX "usage_events_seeded_idx" ON "usage_events" USING btree ("organization_id") WHERE is_seeded;--> statement-breakpoint
CREATE INDEX "usage_events_subject_idx" ON "usage_events" USING btree ("organization_id","subject_id","at","seq");--> statement-breakpoint
CREATE INDEX "usage_gaps_to_at_idx" ON "usage_gaps" USING btree ("organization_id","to_at");--> statement-breakpoint
CREATE POLICY "tenant" ON "price_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "price_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_days" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_days" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_events" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "append" ON "usage_events" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_events" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_gaps" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_gaps" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_hours" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_hours" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_marks" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_marks" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_pending" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_pending" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_settings" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_settings" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_subjects" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_subjects" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);