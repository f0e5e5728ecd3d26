! The same of Fortran 2008, errors left out.
program plain_f08
  use mpi_f08
  implicit none
  integer :: me, ranks, i, j, wrong
  integer :: from(400), to(400), counts(16), places(16)
  double precision :: sums(10)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  wrong = 0
  do i = 1, 10
    from(i) = me * 1000 + i
  end do
  call MPI_Allgather(from, 10, MPI_INTEGER, to, 10, MPI_INTEGER, MPI_COMM_WORLD)
  do i = 1, 10 * ranks
    if (to(i) /= (i - 1) / 10 * 1000 + mod(i - 1, 10) + 1) wrong = wrong + 1
  end do
  do i = 1, ranks
    counts(i) = i
    places(i) = i * (i - 1) / 2
  end do
  from = me
  call MPI_Allgatherv(from, me + 1, MPI_INTEGER, to, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
  do i = 1, ranks
    do j = 1, i
      if (to(places(i) + j) /= i - 1) wrong = wrong + 1
    end do
  end do
  sums = me
  call MPI_Allreduce(MPI_IN_PLACE, sums, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (any(sums /= ranks * (ranks - 1) / 2)) wrong = wrong + 1
  call MPI_Bcast(wrong, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (me == 0 .and. wrong == 0) print '(a)', 'all right'
  call MPI_Finalize()
end program
