CREATE TABLE "budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"scope_by" text NOT NULL,
	"scope_key" text NOT NULL,
	"action" text NOT NULL,
	"state" text DEFAULT 'ok' NOT NULL,
	"state_since" timestamp (3) with time zone NOT NULL,
	"month" text NOT NULL,
	"reached" integer DEFAULT 0 NOT NULL,
	"lifted_month" text,
	"check_at" timestamp (3) with time zone NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budgets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"organization_id" integer NOT NULL,
	"number" integer NOT NULL,
	"position" integer NOT NULL,
	"month" text NOT NULL,
	"day" date NOT NULL,
	"meter" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"price_version" integer NOT NULL,
	"currency" text NOT NULL,
	"quantity" numeric NOT NULL,
	"amount" numeric NOT NULL,
	CONSTRAINT "statement_lines_pk" PRIMARY KEY("organization_id","number","position")
);
--> statement-breakpoint
ALTER TABLE "statement_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "statements" (
	"organization_id" integer NOT NULL,
	"number" integer NOT NULL,
	"month" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"currency" text NOT NULL,
	"price_versions" integer[] NOT NULL,
	"is_seeded" boolean NOT NULL,
	"frozen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statements_pk" PRIMARY KEY("organization_id","number")
);
--> statement-breakpoint
ALTER TABLE "statements" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_statement_fk" FOREIGN KEY ("organization_id","number") REFERENCES "public"."statements"("organization_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_name_key" ON "budgets" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "budgets_check_at_idx" ON "budgets" USING btree ("check_at");--> statement-breakpoint
CREATE INDEX "budgets_pausing_idx" ON "budgets" USING btree ("organization_id") WHERE state = 'enforced';--> statement-breakpoint
CREATE INDEX "budgets_created_by_idx" ON "budgets" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "statements_month_key" ON "statements" USING btree ("organization_id","month");--> statement-breakpoint
CREATE POLICY "tenant" ON "budgets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "budgets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "statement_lines" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "append" ON "statement_lines" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "statement_lines" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "statements" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "append" ON "statements" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "statements" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);