CREATE TABLE "usage_cost_days" (
	"organization_id" integer NOT NULL,
	"day" date NOT NULL,
	"event_count" bigint NOT NULL,
	"shared_cost" text,
	"rules" integer,
	CONSTRAINT "usage_cost_days_pk" PRIMARY KEY("organization_id","day")
);
--> statement-breakpoint
ALTER TABLE "usage_cost_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_costs" (
	"organization_id" integer NOT NULL,
	"day" date NOT NULL,
	"position" integer NOT NULL,
	"part" text NOT NULL,
	"meter" text NOT NULL,
	"cluster_id" integer,
	"subject_id" bigint,
	"price_version" integer,
	"value" numeric NOT NULL,
	"amount" numeric NOT NULL,
	CONSTRAINT "usage_costs_pk" PRIMARY KEY("organization_id","day","part","position")
);
--> statement-breakpoint
ALTER TABLE "usage_costs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "usage_proofs" (
	"organization_id" integer NOT NULL,
	"month" text NOT NULL,
	"proved_at" timestamp (3) with time zone NOT NULL,
	"event_count" bigint NOT NULL,
	"is_equal" boolean NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "usage_proofs_pk" PRIMARY KEY("organization_id","month")
);
--> statement-breakpoint
ALTER TABLE "usage_proofs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "usage_cost_days" ADD CONSTRAINT "usage_cost_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_costs" ADD CONSTRAINT "usage_costs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_proofs" ADD CONSTRAINT "usage_proofs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_cost_days" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_cost_days" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_costs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_costs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "usage_proofs" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "usage_proofs" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
-- The lines of days that are in the sums already are made by the next round.
INSERT INTO "usage_cost_days" ("organization_id", "day", "event_count")
SELECT "organization_id", "day", sum("event_count") FROM "usage_days" GROUP BY 1, 2;
