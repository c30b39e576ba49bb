create temp view m as select f.month, v.product_id, v.product_name,
 sum((f.run_time_sum*K - f.number_of_completed_operations*coalesce(v.run_time,0)) * (v.run_time is not null)::int + (f.setup_time_sum*K - f.setup_time_count*coalesce(v.setup_time,0))*(v.setup_time is not null)::int + (f.cleanup_time_sum*K-f.cleanup_time_count*coalesce(v.cleanup_time,0))*(v.cleanup_time is not null)::int)/1e6 h
 from takt.monthly_figures f join takt.product_structure_versions v using(company_id,product_structure_version_id) where company_id=1 group by 1,2,3;
select month, round(sum(h),1) all_, round(sum(h) filter (where product_id in (select product_id from m group by 1 having sum(h)>0)),1) over_only, round(sum(h) filter (where h>0),1) pos from m group by 1 order by 1;
select sum(h) from m;
select a.product_id,a.product_name, round(b.h,2) bef, round(a.h,2) now, round(a.h-coalesce(b.h,0),2) ch from m a left join m b on a.product_id=b.product_id and b.month='2026-09-01' where a.month='2026-10-01' order by 5 desc nulls last limit 6;
